internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// A filter of the log, as a list of words. An entry must match each word. ``ViewPage`` makes a
/// filter from `?filter=`, and ``LogWindow`` applies it.
///
///     inc is:waste bytes:>200      // diffs after an event "inc" with more than 200 bytes, of which some had no effect
struct LogFilter {
  enum Word {
    /// A part of the cause, of its value, or of what the diff changed. A text such as `li#t6` is
    /// also the name of an element.
    case text(FoldedText, ElementName?)
    /// A part of the cause, in lower case.
    case cause(String)
    case node(Int)
    case slot(SlotSearch)
    case op(ChangeOp)
    case bytes(ClosedRange<Int>)
    case waste, diagnostic, rejected

    var isText: Bool { if case .text = self { true } else { false } }
  }

  private let words: [Word]
  /// For each text, the versions that removed a node with it.
  private let removals: [FoldedText: Set<Int>]
  private let findings: FindingEntries
  /// A sentence for each word that cannot be read, with code between backquotes. If there is a
  /// problem, no entry matches.
  let problems: [String]

  /// - Parameters:
  ///   - view: the view whose log is filtered.
  ///   - findings: the entries that `is:diagnostic` matches.
  /// - Complexity: O(1); with a text O(*bytes of the changes in the log*).
  init(_ text: String, in view: ViewState, findings: FindingEntries) {
    self.findings = findings
    (words, problems) = Self.read(text)
    let texts = words.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
    removals = Dictionary(texts.map { ($0, $0.removals(in: view)) }) { first, _ in first }
  }

  /// - Complexity: O(*changes of the entry*) for each word, and O(*bytes of the entry*) for a slot
  ///   or a text.
  func matches(_ entry: ChangeLog.Entry) -> Bool {
    guard problems.isEmpty else { return false }
    return switch entry.outcome {
    case .applied(let record): words.allSatisfy { matches(record, $0) }
    case .rejected(let rejection): words.allSatisfy { Self.matches(rejection, $0) }
    }
  }

  private func matches(_ record: ChangeRecord, _ word: Word) -> Bool {
    switch word {
    case .text(let text, let element):
      return matches(record, .cause(text.text)) || text.isPart(of: record.cause?.value)
        || removals[text]?.contains(record.version) ?? false
        || record.changeSet.changes.contains { $0.has(text) || $0.names(element, record.displayNames) }
    case .cause(let text):
      return (record.cause?.description ?? (record.version == 0 ? "mount" : "server")).lowercased().contains(text)
    case .node(let number):
      let node = NodeRef(epoch: record.epoch, number: number)
      return record.changeSet.changes.contains { $0.concerns(node) } || record.notified.contains(node)
    // The input is searched, so that slots without effect are found, too, and slots for which the
    // record lists only an outer slot.
    case .slot(let slot): return slot.isFound(in: record.input)
    case .op(let op): return record.changeSet.changes.contains { $0.op == op }
    case .bytes(let sizes): return sizes.contains(record.bytes)
    case .waste: return record.waste.count > 0
    case .diagnostic: return findings.count(in: record) > 0
    case .rejected: return false
    }
  }

  private static func matches(_ rejection: Rejection, _ word: Word) -> Bool {
    switch word {
    // A rejected input is a finding of its own.
    case .rejected, .diagnostic: true
    case .bytes(let sizes): sizes.contains(rejection.bytes)
    case .text(let text, _): matches(rejection, .cause(text.text))
    case .cause(let text): "rejected \(rejection.error.reason)".lowercased().contains(text)
    case .node, .slot, .op, .waste: false
    }
  }
}

extension Change {
  /// Whether the change has a text: in the id of a node, in a text, or in a changed attribute.
  /// Other attributes of added nodes do not count, because most of them name events. What was below
  /// a removed node is not recorded, see ``FoldedText/removals(in:)``.
  ///
  /// - Complexity: O(*bytes of the change*).
  fileprivate func has(_ text: FoldedText) -> Bool {
    func isIn(_ value: String?) -> Bool { text.isPart(of: value) }
    func isNamed(_ name: DisplayName) -> Bool { if case .element(_, let id) = name { isIn(id) } else { false } }
    return switch self {
    case .text(_, _, let before, let after): isIn(before) || isIn(after)
    case .attributes(_, _, let changes): changes.contains { isIn($0.name) || isIn($0.before) || isIn($0.after) }
    case .add(let subtree, _):
      subtree.nodes.contains { text.isFound(in: $0.content) }
    case .remove(_, _, let name), .move(_, let name, _, _): isNamed(name)
    }
  }
}

extension Change {
  /// Whether the line of the change names the element: as the changed node, as its parent, or in an
  /// added subtree.
  ///
  /// - Complexity: O(log *names*), for an addition also O(*added nodes*).
  fileprivate func names(_ element: ElementName?, _ names: DisplayNames) -> Bool {
    guard let element else { return false }
    if parents.contains(where: { element.matches(names[$0]) }) { return true }
    return switch self {
    case .text: false
    case .attributes(let node, _, _): element.matches(names[node])
    case .add(let subtree, _): subtree.nodes.contains { element.matches(DisplayName($0.content)) }
    case .remove(_, _, let name), .move(_, let name, _, _): element.matches(name)
    }
  }
}
