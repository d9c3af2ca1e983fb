internal import LiveViewMirror
internal import MarkupDocument

/// Words that an entry of the log must match, each of them.
///
///     inc is:waste bytes:>200      // diffs after an event "inc" with more than 200 bytes, of which some had no effect
struct LogFilter {
  private enum Word {
    case cause(String)
    case node(Int)
    case slot(SlotSearch)
    case op(String)
    case bytes(atLeast: Int, atMost: Int)
    case waste, diagnostic, rejected
    /// A word with a known name and an unknown value: no entry matches.
    case nothing
  }

  private let words: [Word]
  private let findings: FindingEntries

  /// - Parameter findings: the entries that `is:diagnostic` matches.
  init(_ text: String, findings: FindingEntries) {
    self.findings = findings
    words = text.split { $0.isWhitespace }.prefix(20).map { Self.word(String($0)) }
  }

  private static func word(_ text: String) -> Word {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return .cause(text.lowercased()) }
    let value = parts[1]
    switch (parts[0], value) {
    case ("node", _): return Int(value).map(Word.node) ?? .nothing
    case ("slot", _): return .slot(SlotSearch(value))
    case ("op", _): return .op(value)
    case ("is", "waste"): return .waste
    case ("is", "diagnostic"): return .diagnostic
    case ("is", "rejected"): return .rejected
    case ("is", _): return .nothing
    case ("event", _): return .cause(value.lowercased())
    case ("bytes", _):
      let number = Int(value.drop { "<>=".contains($0) }) ?? -1
      if number < 0 { return .nothing }
      if value.hasPrefix(">") { return .bytes(atLeast: number, atMost: .max) }
      if value.hasPrefix("<") { return .bytes(atLeast: 0, atMost: number) }
      return .bytes(atLeast: number, atMost: number)
    default: return .cause(text.lowercased())
    }
  }

  /// - Complexity: O(*changes of the entry*) for each word, and for a slot O(*bytes of the entry*).
  func matches(_ entry: ChangeLog.Entry) -> Bool {
    switch entry {
    case .applied(let record): words.allSatisfy { matches(record, $0) }
    case .rejected(let rejection): words.allSatisfy { Self.matches(rejection, $0) }
    }
  }

  private func matches(_ record: ChangeRecord, _ word: Word) -> Bool {
    switch word {
    case .cause(let text):
      return (record.cause?.description ?? (record.version == 0 ? "mount" : "server")).lowercased().contains(text)
    case .node(let number):
      let node = NodeRef(epoch: record.epoch, number: number)
      return record.changeSet.changes.contains { $0.concerns(node) } || record.notified.contains(node)
    // Also slots that were sent without effect, and those of which the record names only the ones around them.
    case .slot(let slot): return slot.isFound(in: record.input)
    case .op(let name): return record.changeSet.changes.contains { $0.op == name }
    case .bytes(let least, let most): return least <= record.bytes && record.bytes <= most
    case .waste: return record.waste.count > 0
    case .diagnostic: return findings.count(in: record) > 0
    case .rejected, .nothing: return false
    }
  }

  private static func matches(_ rejection: Rejection, _ word: Word) -> Bool {
    switch word {
    // A rejected input is a finding of its own.
    case .rejected, .diagnostic: true
    case .bytes(let least, let most): least <= rejection.bytes && rejection.bytes <= most
    case .cause(let text): "rejected \(rejection.error.reason)".lowercased().contains(text)
    case .node, .slot, .op, .waste, .nothing: false
    }
  }
}

extension Change {
  /// The name of the operation in JSON.
  var op: String {
    switch self {
    case .text: "text"
    case .attributes: "attributes"
    case .add: "add"
    case .remove: "remove"
    case .move: "move"
    }
  }
}
