import MarkupDocument

@testable import MirrorInspector

/// One node: content, place, subscribers, and its history.
extension Facts {
  private static let shownEvents = 50
  private static let kinds = [
    "text": "text", "comment": "comment", "processing-instruction": "instruction", "root": "document",
  ]

  // MARK: - JSON

  /// - Parameters:
  ///   - node: `GET …/nodes/{node}`.
  ///   - entries: the entries of the log, with the cause of each version.
  init(node: JSONValue, entries: [JSONValue]) {
    add("node", node["node"].int)
    add("subscribers", node["summary"].string)
    add("is live", node["live"].bool == true ? "true" : "false")
    if node["live"].bool == true { addContent(of: node) }
    let events = node["biography"].array
    for event in events.suffix(Self.shownEvents).reversed() {
      let record = entries.first { $0["version"].int == event["version"].int && $0["rejected"].isNull }
      let cause = record.flatMap { $0["cause"].isNull ? nil : Self.cause($0) }
      let words = ["v\(event["version"].int ?? -1)", cause, Self.sign(JSONValue(["op": event["did"].string ?? "?"]))]
      add("event", words.compactMap(\.self).joined(separator: " "))
    }
    add("earlier events", events.count > Self.shownEvents ? events.count - Self.shownEvents : nil)
    let (texts, children) = (node["text_changes"], node["children_changes"])
    if texts["count"].int != 0 {
      add("texts", "\(texts["count"].int ?? -1), last in v\(texts["last_version"].int ?? -1)")
    }
    for change in texts["recent"].array.reversed() {
      let values = "\(Form.page.quoted(change["before"].string)) → \(Form.page.quoted(change["after"].string))"
      add("text change", "v\(change["version"].int ?? -1) \(values)")
    }
    if children["count"].int != 0 {
      let counts = ["added", "removed", "moved"].compactMap { name in
        children[name].int == 0 ? nil : "\(children[name].int ?? -1) \(name)"
      }
      add("children", "\(counts.joined(separator: ", ")), last in v\(children["last_version"].int ?? -1)")
    }
    for change in children["recent"].array.reversed() {
      let sign = Self.sign(JSONValue(["op": change["did"].string ?? "?"]))
      let name = change["tag"].string.map { "<\($0)>" } ?? Self.kinds[change["kind"].string ?? ""] ?? "?"
      add("child change", "v\(change["version"].int ?? -1) \(sign) \(change["node"].int ?? -1) \(name)")
    }
  }

  private mutating func addContent(of node: JSONValue) {
    let attributes = node["attributes"]
    let id = attributes["id"].string.map { "#\($0)" } ?? ""
    add("name", node["tag"].string.map { "<\($0)\(id)>" } ?? Self.kinds[node["kind"].string ?? ""])
    add("path", node["path"].array.dropLast().compactMap { $0["node"].int?.description }.joined(separator: " "))
    add("component", node["component"].int)
    for name in attributes.keys {
      add("attribute \(name)", Form.page.quoted(attributes[name].string, limit: .max))
    }
    if let text = node["text"].string {
      add(
        "text",
        ParsedPage.words(ParsedPage(HTML.withVisibleBlanks(text.unicodeScalars[...], keepingLines: true)).text()))
    }
    guard node["tag"].string != nil, let file = node["source"]["file"].string else { return }
    let function = node["source"]["function"].string.map { " by \($0)" } ?? ""
    add("source", "\(file):\(node["source"]["line"].int ?? -1)\(function)")
  }

  // MARK: - Page

  /// - Parameter page: the page with a selected node.
  init(node page: ParsedPage) {
    guard let details = page.element(id: "details"), let subject = page.first("h3", "subject", in: details)
    else { return }
    let title = page.words(of: subject).split(separator: " ", maxSplits: 2).map(String.init)
    add("node", title.dropFirst().first)
    let isLive = page.first("p", "absent", in: details) == nil
    add("is live", isLive ? "true" : "false")
    for list in page.all("dl", "facts", in: details) {
      for (name, value) in page.definitions(in: list) { add(name, value) }
    }
    if isLive {
      addContent(of: details, page, name: title.last)
    } else {
      // A removed node has no subscribers.
      add("subscribers", "none")
    }
    addHistory(page, details)
  }

  private mutating func addContent(of details: ParsedPage.Place, _ page: ParsedPage, name: String?) {
    add("name", name)
    let way = page.first("nav", "way", in: details).map { page.all("a", "node", in: $0) } ?? []
    add("path", way.compactMap { page.attribute("data-node", of: $0) }.joined(separator: " "))
    for row in page.rows(ofTable: "attributes") { add("attribute \(row[0])", row[1]) }
    add("subscribers", page.first("p", "subscribers", in: details).map { page.words(of: $0) } ?? "none")
    add("text", page.first("pre", "value", in: details).map { page.words(of: $0) })
    for line in page.all("p", in: details) {
      let words = page.words(of: line)
      add("component", words.wholeMatch(of: /root of component (\d+)/).map { String($0.1) })
      guard words.hasPrefix("written at "), let source = page.first("span", "source", in: line),
        let place = page.attribute("title", of: source), name?.hasPrefix("<") == true
      else { continue }
      add("source", place + (page.first("code", in: line).map { " by \(page.words(of: $0))" } ?? ""))
    }
  }

  private mutating func addHistory(_ page: ParsedPage, _ details: ParsedPage.Place) {
    func version(_ item: ParsedPage.Place) -> String { page.words(of: page.first("a", "version", in: item)) }
    func mark(_ item: ParsedPage.Place) -> String { page.words(of: page.first("b", "mark", in: item)) }
    for heading in page.all("h4", in: details) {
      let words = page.words(of: heading)
      add("texts", words.wholeMatch(of: /Text changed (.*) times?(, last in v\d+)/).map { "\($0.1)\($0.2)" })
      add("children", words.wholeMatch(of: /Children (\d.*)/).map { String($0.1) })
    }
    for list in page.all("ol", "changes", in: details) {
      let isHistory = page.tree[list].element?.classes.contains("biography") == true
      for item in page.children("li", of: list) {
        if page.tree[item].element?.classes.contains("gap") == true {
          add("earlier events", page.words(of: item).firstMatch(of: /\d+/).map { String($0.0) })
        } else if isHistory {
          let cause = page.first("bdi", "cause", in: item).map { page.words(of: $0) }
          add("event", [version(item), cause, mark(item)].compactMap(\.self).joined(separator: " "))
        } else if page.first("b", "mark", in: item) == nil {
          let values = ["del", "ins"].map { page.words(of: page.first($0, in: item)) }
          add("text change", "\(version(item)) \(values.joined(separator: " → "))")
        } else {
          // The JSON of a child has no id.
          let node = page.words(of: page.first("a", "node", in: item)).replacing(/#[^>]*>/, with: ">")
          add("child change", "\(version(item)) \(mark(item)) \(node)")
        }
      }
    }
    add(
      "only notified",
      page.words(of: details).firstMatch(of: /also notified in ([\d,]+) versions?/).map { String($0.1) })
  }
}
