package import LiveViewMirror
internal import MarkupDocument
internal import RenderedTree

/// The costs of a view's slots and lists since its mount, with their lines in the templates.
/// `GET /views/{view}/waste` answers with it, and `check` names its first slots.
///
/// The sums of ``slots`` and ``others`` are the sums over all records of the epoch, also those that
/// the log has evicted: ``wastedBytes`` equals the sum of ``ChangeRecord/Waste/bytes``.
package struct WasteReport: Sendable {
  /// What was sent for one slot of a template.
  package struct Slot: Sendable, Hashable {
    /// Its name, such as `2.k.*.1`.
    package var slot: String
    /// The size of the values that were sent, as compact JSON.
    package var bytes: Int
    /// The size of the values that the tree already had.
    package var wastedBytes: Int
    /// The number of diffs that sent the slot.
    package var diffs: Int
    /// The number of diffs that changed nothing in it.
    package var wastedDiffCount: Int
    /// The last version whose diff sent the slot.
    package var lastVersion: Int
    package var source: TemplateSource
  }

  /// What was sent for one list of a template.
  package struct List: Sendable, Hashable {
    /// The slot that holds the list.
    package var slot: String
    package var kind: ListKind
    /// The number of diffs that named the list.
    package var diffs: Int
    /// The number of entries that were sent with values.
    package var entries: Int
    /// The number of entries that were sent with exactly the values that they had.
    package var unchangedEntryCount: Int
    /// The number of diffs that sent values for all entries of a list of at least two.
    package var wholeResendCount: Int
    /// The number of entries that were sent because an entry before them was inserted or removed in
    /// a list without `:key`.
    package var shiftedEntryCount: Int
    /// The number of elements with an id that one diff removed and added again.
    package var recreatedElementCount: Int
    package var lastVersion: Int
    package var source: TemplateSource
    /// One sentence for the developer of the app; `nil` if there is nothing to improve.
    package var advice: String?
  }

  /// The order of ``slots``. Equal slots are in the order of their paths.
  package enum Order: String, Sendable, CaseIterable {
    case slot
    case bytes
    case wastedBytes = "wasted_bytes"
    case diffs
    case wastedDiffCount = "wasted_diffs"
    case lastVersion = "last_version"
    /// By file and line; slots without a line last.
    case source
  }

  package var view: String
  package var epoch: Int
  package var version: Int
  /// The number of diffs that were applied.
  package var diffs: Int
  /// The bytes of these diffs as they were received. Besides the values of slots, they have names,
  /// the strings that several fragments share (`p`), events, replies and titles.
  package var diffBytes: Int
  /// At most 1,000.
  package var slots: [Slot]
  /// The sums of all slots beyond the first 1,000, without a name and a line; `nil` for at most
  /// 1,000 slots.
  package var others: Slot?
  /// At most 1,000, in the order of their slots.
  package var lists: [List]
  /// Whether the app has debug annotations.
  package var hasAnnotations: Bool

  /// The slots that readers see. Slots without bytes are left out: such a slot, for example
  /// `1.k.kc`, has only removed entries.
  package var slotsWithBytes: [Slot] { slots.filter { $0.bytes > 0 } }

  /// The bytes of the values of all slots.
  package var bytes: Int { (slots + [others].compactMap(\.self)).reduce(0) { $0 + $1.bytes } }
  /// The wasted bytes of all slots.
  package var wastedBytes: Int { (slots + [others].compactMap(\.self)).reduce(0) { $0 + $1.wastedBytes } }

  /// How a developer enables the annotations. Both options are read when a template is compiled.
  package static let annotationHint = """
    To see template lines, add to config/dev.exs: config :phoenix_live_view, debug_heex_annotations: true, debug_attributes: \
    true (debug_attributes needs LiveView 1.1). Then run mix clean and compile the app again.
    """
}

extension ViewState {
  /// The costs of all slots and lists.
  ///
  /// - Complexity: O(*n* log *n*) for *n* ≤ 1,000 slots, plus the size of their templates.
  package func wasteReport(by order: WasteReport.Order = .wastedBytes) -> WasteReport {
    let tree = totals.tree
    var sources = TemplateSources(of: tree)
    let slots = totals.rows.map { row in
      WasteReport.Slot(row, named: tree.name(of: row.node), source: sources.source(of: row.node))
    }
    let lists = totals.lists.map { node, row in
      WasteReport.List(
        slot: tree.name(of: node), kind: row.kind, diffs: row.diffs, entries: row.entries,
        unchangedEntryCount: row.unchanged, wholeResendCount: row.resent, shiftedEntryCount: row.shifted,
        recreatedElementCount: row.recreated, lastVersion: row.lastVersion, source: sources.list(node),
        advice: row.advice)
    }
    return WasteReport(
      view: id, epoch: epoch, version: version, diffs: log.diffCount, diffBytes: log.diffBytes,
      slots: slots.sorted { order.precedes($0, $1) },
      others: totals.others.diffs > 0 ? .init(totals.others, named: "", source: TemplateSource()) : nil,
      lists: lists.sorted { NumericOrder.precedes($0.slot, $1.slot) }, hasAnnotations: hasAnnotations)
  }
}

extension WasteReport.Slot {
  fileprivate init(_ row: SlotTotals.Row, named name: String, source: TemplateSource) {
    self.init(
      slot: name, bytes: row.bytes, wastedBytes: row.wastedBytes, diffs: row.diffs,
      wastedDiffCount: row.wastedDiffCount,
      lastVersion: row.lastVersion, source: source)
  }
}

extension WasteReport.Order {
  /// Numbers in descending order, names and lines in ascending order.
  func precedes(_ a: WasteReport.Slot, _ b: WasteReport.Slot) -> Bool {
    let keys: [KeyPath<WasteReport.Slot, Int>] =
      switch self {
      case .bytes: [\.bytes, \.wastedBytes]
      case .wastedBytes: [\.wastedBytes, \.bytes]
      case .diffs: [\.diffs, \.bytes]
      case .wastedDiffCount: [\.wastedDiffCount, \.wastedBytes]
      case .lastVersion: [\.lastVersion, \.bytes]
      case .slot, .source: []
      }
    for key in keys where a[keyPath: key] != b[keyPath: key] { return a[keyPath: key] > b[keyPath: key] }
    if self == .source, let isBefore = a.source.precedes(b.source) { return isBefore }
    return NumericOrder.precedes(a.slot, b.slot)
  }
}

/// The order of slot paths in a ``WasteReport`` and in ``CostTotals``: step by step, numbers by
/// their value and before other steps.
enum NumericOrder {
  static func precedes(_ a: String, _ b: String) -> Bool {
    let (left, right) = (a.split(separator: "."), b.split(separator: "."))
    for (one, other) in zip(left, right) where one != other {
      switch (Int(one), Int(other)) {
      case (let one?, let other?): return one < other
      case (nil, _?): return false
      case (_?, nil): return true
      case (nil, nil): return one < other
      }
    }
    return left.count < right.count
  }
}
