import MarkupDocument

@testable import MirrorInspector

/// One node: content, place, subscribers, and its history.
extension Facts {
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
    for event in events.reversed() {
      let record = entries.first { $0["version"].int == event["version"].int && $0["rejected"].isNull }
      let cause = record.flatMap { $0["cause"].isNull ? nil : Self.cause($0) }
      let words = ["v\(event["version"].int ?? -1)", cause, Self.sign(JSONValue(["op": event["did"].string ?? "?"]))]
      add("event", words.compactMap(\.self).joined(separator: " "))
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
      guard words.hasPrefix("Template: "), let source = page.first("span", "source", in: line),
        let place = page.attribute("title", of: source), name?.hasPrefix("<") == true
      else { continue }
      add("source", place + (page.first("code", in: line).map { " by \(page.words(of: $0))" } ?? ""))
    }
  }

  /// The changes of the node itself. Those below it are in `NodeHistoryTests`.
  private mutating func addHistory(_ page: ParsedPage, _ details: ParsedPage.Place) {
    for list in page.all("ol", "biography", in: details) {
      for item in page.children("li", of: list) {
        let classes = page.tree[item].element?.classes ?? []
        if !classes.isDisjoint(with: ["below", "gap"]) { continue }
        let cause = page.first("bdi", "cause", in: item).map { page.words(of: $0) }
        let mark = page.words(of: page.first("b", "mark", in: item))
        let version = page.words(of: page.first("a", "version", in: item))
        add("event", [version, cause, mark].compactMap(\.self).joined(separator: " "))
      }
    }
  }
}

extension ParsedPage {
  /// The versions that the history of the selected node lists; `nil` if it leaves out earlier ones.
  var historyVersions: Set<Int>? {
    guard let list = first("ol", "biography") else { return [] }
    if text(of: list).contains("earlier version") { return nil }
    let links = all("a", "version", in: list)
    return Set(links.compactMap { Int(words(of: $0).dropFirst()) })
  }
}
