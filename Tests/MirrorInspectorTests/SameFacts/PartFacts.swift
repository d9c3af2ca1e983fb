import Foundation
import LiveViewMirror
import MarkupDocument

@testable import MirrorInspector

/// The parts of an explained diff as lines of their facts: depth, path, bytes, summary with value,
/// nodes, waste.
enum PartFacts {
  private static let linkedNodes = 8

  // MARK: - JSON

  /// - Parameters:
  ///   - part: `explanation`, or one of its descendants.
  ///   - changes: the changes of the diff.
  static func lines(of part: JSONValue, _ changes: [JSONValue], as form: Form, depth: Int = 0) -> [String] {
    let (path, kind) = (part["path"].string ?? "?", part["kind"].string ?? "?")
    let value = part["value"].string.map { value in
      kind == "text" || kind == "title"
        ? form.quoted(value) : form == .text ? Terminal.line(value) : ParsedPage.words(value)
    }
    let places = part["changes"].array.compactMap(\.int)
    let named = places.prefix(linkedNodes).map { "\(Facts.sign(changes[$0])) \(changes[$0]["node"].int ?? -1)" }
    let rest = places.count - named.count + (part["more_changes"].int ?? 0)
    var words = [
      // The page indents at most eight levels.
      "\(form == .page ? min(depth, 8) : depth)", path.isEmpty ? kind : path, form.bytes(part["bytes"].int) ?? "?",
      ParsedPage.words([part["summary"].string, value].compactMap(\.self).joined(separator: " ")),
    ]
    if !named.isEmpty {
      words.append("→ " + named.joined(separator: ", ") + (rest > 0 ? " and \(form.count(rest) ?? "?") more" : ""))
    }
    if part["waste"].bool == true { words.append("! sent without effect") }
    if form == .page {
      words.append("kind \(kind)")
      words.append("nodes \(part["nodes"].array.compactMap(\.int))")
    }
    let more = part["more"].int ?? 0
    let below = form == .page ? min(depth + 1, 8) : depth + 1
    return [words.joined(separator: " | ")]
      + part["children"].array.flatMap { lines(of: $0, changes, as: form, depth: depth + 1) }
      + (more > 0 ? ["\(below) | … \(form.count(more) ?? "?") more part\(more == 1 ? "" : "s")"] : [])
  }

  // MARK: - Text

  /// - Parameter text: one line of the explanation for a terminal.
  static func line(of text: String) -> String {
    let depth = "\(text.prefix { $0 == " " }.count / 2)"
    var rest = text.drop { $0 == " " }
    if rest.hasPrefix("… ") { return "\(depth) | \(rest)" }
    var words: [String] = [depth]
    for _ in 0..<2 {
      guard let end = rest.firstRange(of: "  ") else { return "not a line of a part: \(text)" }
      words.append(String(rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    var marks: [String] = []
    let waste = "  ! sent without effect"
    if rest.hasSuffix(waste) {
      marks = [String(waste.dropFirst(2))]
      rest = rest.dropLast(waste.count)
    }
    if let start = rest.range(of: "  → ", options: .backwards), "~+-⇄".contains(rest[start.upperBound]) {
      marks.insert("→ " + rest[start.upperBound...], at: 0)
      rest = rest[..<start.lowerBound]
    }
    return (words + [ParsedPage.words(String(rest))] + marks).joined(separator: " | ")
  }

  // MARK: - Page

  /// - Parameter table: the table of the parts.
  static func lines(of table: ParsedPage.Place, in page: ParsedPage) -> [String] {
    page.all("tr", nil, in: table).compactMap { row in
      let cells = page.children("td", of: row)
      guard cells.count == 3, let classes = page.tree[row].element?.classes else { return nil }
      let levels = page.tree[cells[1]].element?.classes.compactMap { Int($0.trimmingPrefix("level-")) } ?? []
      let depth = "\(levels.first ?? -1)"
      if classes.contains("gap") { return "\(depth) | \(page.words(of: cells[1]))" }
      func words(_ tag: String, _ name: String, in cell: ParsedPage.Place) -> String? {
        page.children(tag, name, of: cell).first.map { page.words(of: $0) }
      }
      let kind = classes.compactMap { $0.hasPrefix("kind-") ? String($0.dropFirst(5)) : nil }.first ?? "?"
      let path = page.attribute("data-slot", of: row) ?? "?"
      let text = [words("bdi", "summary", in: cells[1]), words("bdi", "value", in: cells[1])].compactMap(\.self)
      let nodes = (page.attribute("data-nodes", of: row) ?? "").split(separator: " ").compactMap { Int($0) }
      let isWaste = words("span", "waste", in: cells[1]) != nil
      let shown = [
        depth, path.isEmpty ? kind : path, page.words(of: cells[0]), ParsedPage.words(text.joined(separator: " ")),
        page.children("span", "causes", of: cells[2]).first.map { causes($0, in: page) },
        isWaste ? "! sent without effect" : nil, "kind \(kind)", "nodes \(nodes)",
      ]
      return shown.compactMap(\.self).joined(separator: " | ")
    }
  }

  /// `→ ~ 3, + 7 and 2 more`, with the numbers of the nodes that the page names.
  private static func causes(_ causes: ParsedPage.Place, in page: ParsedPage) -> String {
    let signs = page.children("b", "mark", of: causes).map { page.words(of: $0) }
    let numbers = page.children("a", "node", of: causes).map { page.attribute("data-node", of: $0) ?? "?" }
    let more = page.words(of: causes).firstMatch(of: #/ and [\d,]+ more$/#).map { String($0.0) } ?? ""
    return "→ " + zip(signs, numbers).map { "\($0) \($1)" }.joined(separator: ", ") + more
  }
}
