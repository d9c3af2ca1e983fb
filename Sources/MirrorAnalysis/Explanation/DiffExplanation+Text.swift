internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

extension DiffExplanation: CustomStringConvertible {
  /// The parts as an indented tree for a terminal: path, size, summary, value, changes, and a mark
  /// for waste. `GET /views/{view}/log/{version}?explain=true` answers with it as plain text.
  ///
  ///     diff  23 B  diff: 2 slots
  ///       0  3 B  text  "1"  → ~ 3
  ///       1  6 B  text  "same"  ! sent without effect
  ///
  /// Text of the LiveView is escaped, so it cannot move the cursor. There is no line feed at the
  /// end.
  package var description: String { lines(of: changeSet).joined(separator: "\n") }

  /// As ``description``, with a line feed at the end.
  package var text: String { description + "\n" }

  private func lines(of changes: ChangeSet) -> [String] {
    var lines: [String] = []
    /// The lines that are not written yet, the next one last, with their depths.
    var pending: [(line: Line, depth: Int)] = [(.part(root), 0)]
    while let (line, depth) = pending.popLast() {
      let indent = String(repeating: "  ", count: depth)
      switch line {
      case .more(let number): lines.append("\(indent)… \(Formatted.count(number, "more part"))")
      case .part(let part):
        lines.append(indent + Self.words(of: part, changes).joined(separator: "  "))
        if part.more > 0 { pending.append((.more(part.more), depth + 1)) }
        for child in part.children.reversed() { pending.append((.part(child), depth + 1)) }
      }
    }
    if unmarkedWaste > 0 {
      lines.append("\(Formatted.count(unmarkedWaste, "more slot")) sent without effect, not marked")
    }
    return lines
  }

  /// The maximum number of changes that are named in a line.
  private static let namedChanges = 8

  private enum Line {
    case part(Part)
    case more(Int)
  }

  private static func words(of part: Part, _ changes: ChangeSet) -> [String] {
    var words = [
      Terminal.line(part.path.isEmpty ? part.kind.rawValue : part.path), Formatted.bytes(part.bytes),
      Terminal.line(part.summary),
    ]
    if let value = part.value { words.append(part.kind.isText ? Terminal.quoted(value) : Terminal.line(value)) }
    if !part.changes.isEmpty {
      let named = part.changes.prefix(namedChanges).map { "\(changes.changes[$0].symbol) \(changes.changes[$0].node)" }
      let more = part.changes.count - named.count + part.moreChanges
      words.append("→ \(named.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")")
    }
    if part.isWaste { words.append("! sent without effect") }
    return words
  }
}

extension DiffExplanation.Kind {
  /// Whether the excerpt of such a part consists of the characters of a text, and not of JSON.
  package var isText: Bool { self == .text || self == .title }
}
