package import MarkupDocument
internal import MirrorSupport

/// The text forms of updates, for `replay`, `watch`, and responses of the type `text/plain`.
///
/// Texts of a LiveView can contain control characters that move the cursor, so ``Terminal`` escapes
/// each text before it is written.
extension ChangeRecord: CustomStringConvertible {
  /// The change set as lines for a terminal:
  ///
  ///     main v7  124 B  2 nodes changed, 3 subscribers notified (whole document: 97)  19 µs
  ///     ~ 15 text      "1" → "2"                     in 14 <p>  slot 0.3
  ///     + 31 <li#row-9>                   under 12 <ul> at 4    slot 2.k.4
  ///       subscriber calls: 3 (one subject: 194, whole document: 97); change by change 3 (194, 194)
  ///
  /// Text of the LiveView is escaped, so it cannot move the cursor. There is no line feed at the
  /// end.
  ///
  /// - Complexity: O(*changes*).
  public var description: String {
    ([headline] + changeSet.lines(slots: slots, named: displayNames) + isolationLines + notes).joined(separator: "\n")
  }

  /// As ``description``, with a line feed at the end.
  package var text: String { description + "\n" }

  /// The first line: the version, the size of the update, the numbers of changes and notified
  /// subscribers, and the time.
  package var headline: String {
    let counts =
      version == 0
      ? "mounted \(Formatted.count(nodeCount, "node")), \(Formatted.count(allObserverCount, "subscriber"))"
      : "\(Formatted.count(changeSet.changes.count, "node")) changed\(latency), "
        + "\(Formatted.count(observerCount, "subscriber")) notified (whole document: \(allObserverCount))"
    return
      "\(view) v\(version)  \(Formatted.bytes(bytes))  \(answer)\(counts)  \(Formatted.microseconds(timings.total))\(detour)"
  }

  /// The event that the update answers, and an arrow: `click inc → `. Empty if the server pushed
  /// the update by itself.
  private var answer: String { cause.map { "\(Terminal.line($0.description)) → " } ?? "" }

  /// The time from the event to its answer: `, 12 ms`.
  private var latency: String { cause?.latency.map { ", \(Milliseconds.text($0)) ms" } ?? "" }

  /// The reason for a full update. Empty for a scoped update and for a mount.
  private var detour: String {
    guard case .full(let reason) = path, version > 0 else { return "" }
    return "  full: \(Terminal.line(reason))"
  }

  private var notes: [String] {
    var notes = diagnostics.map { "! \($0.code): \(Terminal.line($0.message))" }
    if !waste.slots.isEmpty {
      let shown = waste.slots.prefix(8).map(Self.name).joined(separator: ", ") + (waste.slots.count > 8 ? ", …" : "")
      notes.append("  \(Formatted.bytes(waste.bytes)) without effect: \(Formatted.count(waste.count, "slot")) \(shown)")
    }
    notes += shiftedLists.lists.map { "  \(Terminal.line($0.description)) (unkeyed-list)" }
    if shiftedLists.more > 0 {
      notes.append("  \(Formatted.count(shiftedLists.more, "more list")) with shifted entries")
    }
    if let title { notes.append("  title \(Terminal.quoted(title))") }
    if let events { notes.append("  events \(Terminal.line(events))") }
    if let reply { notes.append("  reply \(Terminal.line(reply))") }
    return notes
  }

  /// The path of a slot as texts show it. The empty path, which means the whole page, is shown as
  /// `page`.
  package static func name(ofSlot slot: String) -> String { slot.isEmpty ? "page" : slot }
}

extension ChangeSet {
  /// A line for each change, in aligned columns.
  ///
  /// - Parameter slots: for each change, the paths of the slots that caused it; empty if they are
  ///   not known.
  package func lines(slots: [[String]] = [], named names: DisplayNames) -> [String] {
    Self.aligned(
      changes.enumerated().map { place, change in
        let slots = slots.isEmpty ? [] : slots[place]
        return [
          "\(change.symbol) \(change.node) \(change.title)", change.summary, change.text(named: names),
          slots.isEmpty
            ? "" : "slot\(slots.count == 1 ? "" : "s") \(slots.map(ChangeRecord.name).joined(separator: ", "))",
        ]
      })
  }

  /// Pads each column to its widest cell, at most 48 characters.
  private static func aligned(_ rows: [[String]]) -> [String] {
    guard let columns = rows.first?.count else { return [] }
    let widths = (0..<columns).map { column in rows.map { min($0[column].count, 48) }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) where width > 0 {
        line += cell + String(repeating: " ", count: max(0, width - cell.count)) + "  "
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}

extension Rejection {
  /// The rejection on one line: the error, its place, and the version that the view still has.
  package var text: String {
    "\(view) ! rejected  \(Formatted.bytes(bytes))  \(Terminal.line(error.description))  (still v\(version))\n"
  }
}

extension LiveViews.FrameOutcome {
  /// The outcome for a terminal. Empty if the frame changed no page.
  package var text: String {
    switch self {
    case .applied(let record): record.text
    case .ignored: ""
    case .rejected(let rejected):
      "! frame \(rejected.index) rejected\(rejected.view.map { "  \(Terminal.line($0))" } ?? "")  "
        + "\(Terminal.line(rejected.error.description))\n"
    }
  }
}

extension Change {
  /// The sign for the kind of the change, so that no meaning depends on colour alone.
  package var symbol: String {
    switch self {
    case .text, .attributes: "~"
    case .add: "+"
    case .remove: "-"
    case .move: "⇄"
    }
  }

  fileprivate var title: String {
    switch self {
    case .text: "text"
    case .attributes(_, let tag, _): "<\(Terminal.line(tag))>"
    case .add(let subtree, _): subtree.displayName.title
    case .remove(_, _, let name), .move(_, let name, _, _): name.title
    }
  }

  fileprivate var summary: String {
    switch self {
    case .text(_, _, let before, let after): "\(Terminal.quoted(before)) → \(Terminal.quoted(after))"
    case .attributes(_, _, let changes):
      changes.map { change in
        let before = change.before.map { Terminal.quoted($0) } ?? "none"
        return "\(Terminal.line(change.name)) \(before) → \(change.after.map { Terminal.quoted($0) } ?? "none")"
      }.joined(separator: ", ")
    case .add(let subtree, _):
      if subtree.count > 1 { "\(subtree.count) nodes" } else { subtree.nodes[0].content.preview }
    case .remove(let nodes, _, _): nodes.count > 1 ? "\(nodes.count) nodes" : ""
    case .move: ""
    }
  }

  fileprivate func text(named names: DisplayNames) -> String {
    func node(_ ref: NodeRef) -> String { "\(ref) \(names[ref]?.title ?? "document")" }
    return switch self {
    case .text(_, let parent, _, _): "in \(node(parent))"
    case .attributes: ""
    case .add(_, let position): "under \(node(position.parent)) at \(position.index)"
    case .remove(_, let position, _): "from \(node(position.parent)) at \(position.index)"
    case .move(_, _, let from, let to):
      from.parent == to.parent
        ? "in \(node(to.parent)) from \(from.index) to \(to.index)"
        : "from \(node(from.parent)) at \(from.index) to \(node(to.parent)) at \(to.index)"
    }
  }
}

extension DisplayName {
  /// `<li#row-9>`, `text`, `comment`.
  package var title: String {
    switch self {
    case .element(let tag, let id): "<\(Terminal.line(tag))\(id.map { "#\(Terminal.line($0))" } ?? "")>"
    case .text, .blank: "text"
    case .comment: "comment"
    case .processingInstruction: "processing instruction"
    }
  }
}

extension NodeContent {
  fileprivate var preview: String {
    switch self {
    case .text(let text), .comment(let text): Terminal.quoted(text)
    case .processingInstruction(let instruction): Terminal.quoted("\(instruction.target) \(instruction.data)")
    case .element, .root: ""
    }
  }
}
