import LiveViewMirror
import MarkupDocument

@testable import MirrorInspector

/// The findings of a view as lines of their facts: code, message, versions, number of diffs, state,
/// nodes.
enum FindingFacts {
  /// - Parameter findings: `diagnostics` of `GET …/diagnostics`.
  static func lines(of findings: [JSONValue], as form: Form) -> [String] {
    // The page has the findings that still hold first.
    let holds = findings.filter { $0["is_current"].bool == true }
    let sorted = form == .text ? findings : holds + findings.filter { $0["is_current"].bool != true }
    return sorted.map { finding in
      let (first, last) = (finding["first_version"].int ?? -1, finding["last_version"].int ?? -1)
      let message = finding["message"].string ?? "?"
      let nodes = finding["nodes"].array.map { "\($0["node"].int ?? -1) \($0["path"].string ?? "?")" }
      let state = finding["is_current"].bool.map { $0 ? "current" : "past" } ?? "open"
      return line(
        finding["code"].string ?? "?", form == .text ? Terminal.line(message) : prose(message),
        first == last ? "v\(first)" : "v\(first) v\(last)", "\(finding["count"].int ?? -1)", state, nodes)
    }
  }

  private static func line(
    _ code: String, _ message: String, _ versions: String, _ count: String, _ state: String, _ nodes: [String]
  ) -> String {
    ([code, message, versions, count, state] + nodes).joined(separator: " | ")
  }

  /// Without the marks of code and emphasis, which are elements on the page.
  private static func prose(_ message: String) -> String {
    ParsedPage.words(message.filter { $0 != "`" && $0 != "*" })
  }

  /// - Parameter text: one line for a terminal.
  static func line(of text: String) -> String {
    guard
      let match = text.wholeMatch(
        of: /! (\S+)  (v\d+)(?:–(v\d+))?, (\d+) diffs?(?:, (current|past))?  (.*?)(?:  at (\d+ .*))?/)
    else { return "not a line of a finding: \(text)" }
    let versions = [match.2, match.3].compactMap { $0.map(String.init) }.joined(separator: " ")
    let nodes = (match.7 ?? "").replacing(/, (\d+ )/) { "\n\($0.1)" }.split(separator: "\n").map(String.init)
    return line(
      String(match.1), String(match.6), versions, String(match.4), match.5.map(String.init) ?? "open", nodes)
  }

  /// - Parameter item: an item of the list of findings.
  static func line(of item: ParsedPage.Place, on page: ParsedPage) -> String {
    guard let message = page.first("p", "message", in: item), let versions = page.first("p", "versions", in: item)
    else {
      return "not a finding: \(page.words(of: item))"
    }
    let words = page.words(of: versions)
    let states = [
      "nothing was applied since": "current", "other diffs were applied since": "open",
      "in the newest version": "current", "not in the newest version": "past",
      "not known for the newest version: not checked since": "open",
    ]
    let places = page.first("ul", "places", in: item).map { page.children("li", of: $0).map { page.words(of: $0) } }
    return line(
      page.words(of: page.first("code", in: message)), prose(page.words(of: page.first("bdi", in: message))),
      words.matches(of: /\bv\d+/).map { String($0.0) }.joined(separator: " "),
      words.prefix { $0 != " " }.filter { $0 != "," },
      states[page.words(of: page.first("span", "state", in: versions))] ?? "?", places ?? [])
  }
}
