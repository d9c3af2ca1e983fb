import LiveViewMirror
import MarkupDocument
import MirrorSupport

@testable import MirrorInspector

/// One entry of the log: version, cause, size, numbers of changes, flags.
extension Facts {
  private static let signs = ["text": "~", "attributes": "~", "add": "+", "remove": "-", "move": "⇄"]

  /// The sign of a change in JSON.
  static func sign(_ change: JSONValue) -> String { signs[change["op"].string ?? ""] ?? "?" }

  /// The names of slots; `page` for the whole update.
  static func slots(_ slots: JSONValue) -> [String] {
    slots.array.compactMap(\.string).map { $0.isEmpty ? "page" : $0 }
  }

  /// `click inc on component 3`; `mount` or `server` without an event.
  static func cause(_ record: JSONValue) -> String {
    let cause = record["cause"]
    guard let event = cause["event"].string else { return record["version"].int == 0 ? "mount" : "server" }
    let name = cause["type"].string.map { "\($0) \(event)" } ?? event
    return cause["target"].int.map { "\(name) on component \($0)" } ?? name
  }

  private mutating func addCounts(_ signs: [String]) {
    for sign in ["~", "+", "-", "⇄"] { add("count \(sign)", signs.count { $0 == sign }) }
  }

  /// - Parameter entry: an entry of `GET …/log`.
  init(entry: JSONValue, as form: Form) {
    let problem = entry["rejected"]
    add("bytes", form.bytes(entry["bytes"].int))
    if !problem.isNull {
      add("stays at", entry["version"].int)
      add("pointer", problem["pointer"].string)
      // The detail is the place, the reason, and a sentence.
      let detail = problem["detail"].string ?? "?"
      add("rejected", detail.replacing(". The view is unchanged.", with: ""))
      return
    }
    add("version", entry["version"].int)
    add("cause", Self.cause(entry))
    addCounts(entry["changes"].array.map(Self.sign))
    let waste = entry["waste"]
    add("waste", waste["slots"].array.isEmpty ? nil : Formatted.bytes(waste["bytes"].int ?? -1))
    // A line of the timeline also has the sign `?` for a list without keys.
    let lists = form == .page ? entry["shifted_lists"].array.count : 0
    add("diagnostics", entry["diagnostics"].array.count + lists)
  }

  /// - Parameter entry: the lines of an entry for a terminal.
  init(_ entry: TerminalEntry) {
    add("bytes", entry.bytes.map { Formatted.bytes($0) })
    if let rejection = entry.rejection {
      add("stays at", entry.version)
      add("pointer", entry.pointer)
      add("rejected", rejection)
      return
    }
    add("version", entry.version)
    add("cause", entry.cause)
    addCounts(entry.changes.map { String($0.prefix(1)) })
    add("waste", entry.waste?.bytes)
    add("diagnostics", entry.diagnostics.count)
  }

  /// - Parameters:
  ///   - item: an item of the timeline.
  ///   - rejection: the page to which the item of a rejected diff leads.
  init(item: ParsedPage.Place, of page: ParsedPage, rejection: (String) throws -> ParsedPage) rethrows {
    add("bytes", page.first("span", "bytes", in: item).map(page.words))
    if page.tree[item].element?.classes.contains("rejected") == true {
      let reason = page.words(of: page.first("bdi", "cause", in: item))
      let target = page.first("a", nil, in: item).flatMap { page.attribute("href", of: $0) } ?? ""
      let page = try rejection(String(target.firstMatch(of: /rejected=([\d.]+)/)?.1 ?? ""))
      guard let details = page.element(id: "details") else { return }
      add("stays at", Int(page.words(of: details).firstMatch(of: /stayed at version (\d+)/)?.1 ?? ""))
      let place = page.all("p", "note", in: details).first { page.words(of: $0).hasPrefix("Place in the input") }
      let pointer = place.flatMap { page.first("code", in: $0) }.map { page.words(of: $0) }
      add("pointer", place == nil ? nil : pointer ?? "")
      let shown = page.words(of: page.first("p", "reason", in: details))
      if shown == reason { add("rejected", pointer.map { "at \($0): \(reason)" } ?? reason) }
      return
    }
    add("version", Int(page.words(of: page.first("b", "version", in: item)).dropFirst()))
    let cause = page.first("bdi", "cause", in: item)
    // The tooltip has the whole cause, the line the event.
    add("cause", cause.flatMap { page.attribute("title", of: $0) } ?? page.words(of: cause))
    if let counts = page.first("span", "counts", in: item) {
      let columns = page.words(of: counts).split(separator: " ")
      for sign in ["~", "+", "-", "⇄"] {
        add("count \(sign)", columns.first { $0.hasPrefix(sign) }.map { String($0.dropFirst()) } ?? "0")
      }
    }
    let labels = page.all("b", "flag", in: item).map { page.attribute("aria-label", of: $0) ?? "" }
    add("waste", labels.lazy.compactMap { $0.firstMatch(of: /^(.*) already on the page/) }.first.map { String($0.1) })
    add(
      "diagnostics",
      labels.lazy.compactMap { $0.firstMatch(of: /^(\d+) diagnostics?$/) }.first.flatMap { Int($0.1) } ?? 0)
  }
}
