import MarkupDocument

@testable import MirrorInspector

/// The comparison of two versions: both versions, and the changes. The page shows the changes as
/// rows of the two documents, so it has the marked nodes, the old and new texts, and the number of
/// changes without a row.
extension Facts {
  /// - Parameter comparison: `GET …/compare`.
  init(comparison: JSONValue) {
    add("from", comparison["from"].int)
    add("to", comparison["to"].int)
    add("count", comparison["changes"].array.count)
    add("notified", comparison["notified"].array.count)
    for change in comparison["changes"].array { add("change", ChangeFacts.line(of: change, as: .text)) }
  }

  /// - Parameter lines: the comparison for a terminal.
  init(comparison lines: [String]) {
    let headline = lines.first?.wholeMatch(of: /\S+ v(\d+) → v(\d+)  ([\d,]+) nodes? changed, ([\d,]+) to notify/)
    add("from", headline.map { String($0.1) })
    add("to", headline.map { String($0.2) })
    add("count", headline.map { String($0.3).replacing(",", with: "") })
    add("notified", headline.map { String($0.4).replacing(",", with: "") })
    for line in lines.dropFirst() where !line.isEmpty { add("change", ChangeFacts.line(of: line)) }
  }
}

/// The rows of two versions side by side.
struct ComparisonRows {
  private(set) var from: Int?
  private(set) var to: Int?
  private(set) var count: Int?
  /// The number of changes without a row.
  private(set) var unshown = 0
  /// The nodes of the rows, by their signs.
  private(set) var nodes: [String: Set<Int>] = [:]
  /// The lines of changed nodes. A node that also moved has a row on each side.
  private(set) var changed: [Int: (before: String, after: String)] = [:]

  /// A text as a line of the page.
  static func line(of text: JSONValue) -> String {
    ParsedPage.words(ParsedPage(HTML.withVisibleBlanks("\"\(text.string ?? "?")\"".unicodeScalars[...])).text())
  }

  init(_ page: ParsedPage) {
    guard let table = page.first("table", "side-by-side"), let place = page.element(id: "comparison") else { return }
    let caption = page.words(of: page.first("caption", in: table))
    if let match = caption.firstMatch(of: /^([\d,]+) changes? from version (\d+) to version (\d+)/) {
      (count, from, to) = (Int(match.1.filter(\.isNumber)), Int(match.2), Int(match.3))
    }
    let notes = page.all("p", "note", in: place).map { page.words(of: $0) }
    let note = notes.compactMap { $0.firstMatch(of: /^([\d,]+) more changes? not shown/) }.first
    unshown = note.flatMap { Int($0.1.filter(\.isNumber)) } ?? 0
    for row in page.all("tr", in: table) {
      guard let sign = page.first("b", "mark", in: row),
        let node = page.attribute("data-node", of: row).flatMap({ Int($0) })
      else { continue }
      nodes[page.words(of: sign), default: []].insert(node)
      guard page.words(of: sign) == "~" else { continue }
      let cells = page.children("td", of: row).map {
        page.tree[$0].element?.classes.contains("elsewhere") == true ? "" : page.words(of: $0)
      }
      let other = changed[node] ?? ("", "")
      changed[node] = (cells[1] + other.before, cells[2] + other.after)
    }
  }
}
