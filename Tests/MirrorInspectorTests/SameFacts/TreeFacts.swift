import MarkupDocument

@testable import MirrorInspector

/// The nodes of a tree as lines of their facts, by node number: level, content, attributes,
/// subscribers, component, source.
///
/// The subscribers are those of the newest version. An older version has the nodes whose
/// subscribers its diff notified instead.
enum TreeFacts {
  /// - Parameters:
  ///   - node: `root` of `GET …/tree`, or one of its descendants.
  ///   - notified: the nodes that the diff of an older version notified; `nil` for the newest
  ///     version.
  static func lines(of node: JSONValue, notified: Set<Int>?, level: Int = 1) -> [(node: Int, line: String)] {
    let number = node["node"].int ?? -1
    var lines = [(number, line(of: node, notified: notified, level: level))]
    for child in node["children"].array { lines += Self.lines(of: child, notified: notified, level: level + 1) }
    return lines
  }

  private static func line(of node: JSONValue, notified: Set<Int>?, level: Int) -> String {
    let (kind, text) = (node["kind"].string ?? "?", node["text"].string ?? "")
    let quoted = Form.page.quoted(text)
    let content: String
    switch kind {
    case "root": content = "document"
    case "text": content = quoted
    case "comment": content = "<!--\(quoted)-->"
    case "processing-instruction": content = ParsedPage.words("<?\(node["target"].string ?? "?") \(quoted)?>")
    default:
      let attributes = node["attributes"]
      let list = attributes.keys.map { name in
        let value = attributes[name].string ?? "?"
        return value.isEmpty ? name : "\(name)=\(Form.page.quoted(value, limit: 60))"
      }
      content = (["<\(node["tag"].string ?? "?")"] + list.sorted()).joined(separator: " ")
    }
    let source = node["source"]["file"].string.map { "\($0):\(node["source"]["line"].int ?? -1)" }
    let subscribers = notified?.contains(node["node"].int ?? -1).description ?? "\(node["subscribers"].int ?? -1)"
    return line(
      level, content, subscribers: subscribers, component: node["component"].int,
      source: source, function: node["source"]["function"].string)
  }

  private static func line(
    _ level: Int, _ content: String, subscribers: String, component: Int?, source: String?, function: String?
  ) -> String {
    [
      "\(level)", content, "◉\(subscribers)", component.map { "component \($0)" }, source, function,
    ].compactMap(\.self).joined(separator: " | ")
  }

  /// The lines of the tree on a page, and the number of the nodes in its gaps.
  ///
  /// - Parameter isNewest: whether it is the page of the newest version.
  static func lines(on page: ParsedPage, isNewest: Bool) -> (lines: [(node: Int, line: String)], left: Int) {
    guard let list = page.element(id: "nodes") else { return ([], 0) }
    var (lines, left) = ([] as [(Int, String)], 0)
    for item in page.children("li", of: list) {
      let level = page.attribute("aria-level", of: item).flatMap { Int($0) } ?? -1
      if page.tree[item].element?.classes.contains("gap") == true {
        left += Int(page.words(of: item).prefix { $0 != "m" }.filter(\.isNumber)) ?? 0
        continue
      }
      guard let what = page.children("span", "what", of: item).first,
        let own = page.children("a", "node", of: what).first
      else { continue }
      let titles = page.children("span", "component", of: item).compactMap { page.attribute("title", of: $0) }
      let component = titles.compactMap { $0.wholeMatch(of: /root of component (\d+)/) }.first.flatMap { Int($0.1) }
      let source = page.children("span", "source", of: item).first.flatMap { page.attribute("title", of: $0) }
      let words = page.children("span", "listeners", of: item).first.flatMap { page.attribute("aria-label", of: $0) }
      let count = (words ?? "").matches(of: /[\d,]+/).reduce(0) { $0 + (Int($1.0.filter(\.isNumber)) ?? 0) }
      let subscribers = isNewest ? "\(count)" : words.map { $0 == "notified" ? "true" : $0 } ?? "false"
      lines.append(
        (
          number(of: own, on: page),
          line(
            level, content(of: own, on: page), subscribers: subscribers, component: component, source: source,
            function: titles.first { !$0.hasPrefix("root of component ") })
        ))
      // A text that is the only child is in the line of its element, and in the same link.
      for text in page.children("span", of: own) {
        guard let number = page.attribute("id", of: text).flatMap({ Int($0.dropFirst()) }) else { continue }
        let words = page.words(of: page.children("span", "text", of: text).first)
        lines.append(
          (
            number,
            line(
              level + 1, words, subscribers: isNewest ? "0" : "false", component: nil, source: nil, function: nil)
          ))
      }
    }
    return (lines, left)
  }

  private static func number(of link: ParsedPage.Place, on page: ParsedPage) -> Int {
    page.attribute("data-node", of: link).flatMap { Int($0) } ?? -1
  }

  private static func content(of link: ParsedPage.Place, on page: ParsedPage) -> String {
    if let tag = page.children("bdi", "tag", of: link).first {
      let attributes = page.children("bdi", "attribute", of: link).map { page.words(of: $0) }
      return ([page.words(of: tag)] + attributes.sorted()).joined(separator: " ")
    }
    return page.words(of: link)
  }
}
