import Foundation
import LiveViewMirror
import MarkupDocument

@testable import MirrorInspector

/// The parts of an explained diff as lines of their facts: depth, path, bytes, summary with value, nodes, waste.
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
      "\(depth)", path.isEmpty ? kind : path, form.bytes(part["bytes"].int) ?? "?",
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
    return [words.joined(separator: " | ")]
      + part["children"].array.flatMap { lines(of: $0, changes, as: form, depth: depth + 1) }
      + (more > 0 ? ["\(depth + 1) | … \(form.count(more) ?? "?") more part\(more == 1 ? "" : "s")"] : [])
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

  /// - Parameter list: the list of the parts, or a list in it.
  static func lines(of list: ParsedPage.Place, in page: ParsedPage, depth: Int = 0) -> [String] {
    page.children("li", of: list).flatMap { item -> [String] in
      if page.tree[item].element?.classes.contains("gap") == true { return ["\(depth) | \(page.words(of: item))"] }
      let details = page.children("details", of: item).first
      let line = details.flatMap { page.children("summary", of: $0).first } ?? item
      func words(_ tag: String, _ name: String) -> String? {
        page.children(tag, name, of: line).first.map { page.words(of: $0) }
      }
      let (path, badge) = (page.attribute("data-slot", of: item) ?? "?", words("span", "badge") ?? "?")
      let text = [words("bdi", "summary"), words("bdi", "value")].compactMap(\.self).joined(separator: " ")
      let causes = page.children("span", "causes", of: details ?? item).first.map { page.words(of: $0) }
      let nodes = (page.attribute("data-nodes", of: item) ?? "").split(separator: " ").compactMap { Int($0) }
      let shown = [
        "\(depth)", path.isEmpty ? badge : path, words("span", "size") ?? "?", ParsedPage.words(text), causes,
        words("span", "waste"), "kind \(badge)", "nodes \(nodes)",
      ]
      return [shown.compactMap(\.self).joined(separator: " | ")]
        + (details.flatMap { page.children("ul", of: $0).first }.map { lines(of: $0, in: page, depth: depth + 1) } ?? [])
    }
  }
}
