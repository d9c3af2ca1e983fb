internal import LiveViewMirror
internal import MarkupDocument

/// What was sent for one line of the app's templates in an epoch.
///
/// The slots of the line were counted by the analysis ``SlotTotals``, so these sums cost nothing until they are read.
package struct TemplateTotals: Sendable, Hashable {
  /// The place of the slots. Without a location for an app without debug annotations.
  package let source: TemplateSource
  /// The slots of the line, as ``WasteReport/Slot/slot`` names them.
  package private(set) var slots: [String] = []
  /// The size of the values, as compact JSON.
  package private(set) var bytes = 0
  /// The size of the values that the tree already had.
  package private(set) var wastedBytes = 0

  fileprivate mutating func add(_ slot: WasteReport.Slot) {
    slots.append(slot.slot)
    bytes += slot.bytes
    wastedBytes += slot.wastedBytes
  }
}

extension WasteReport {
  /// The sums by line, those with most bytes first. Slots beyond the first 1,000 are not among them.
  ///
  /// - Complexity: O(*n* log *n*) for *n* slots.
  package var templateTotals: [TemplateTotals] {
    var lines: [TemplateSource: TemplateTotals] = [:]
    for slot in slots.sorted(by: { Order.slot.precedes($0, $1) }) {
      lines[slot.source, default: TemplateTotals(source: slot.source)].add(slot)
    }
    return lines.values.sorted { a, b in
      a.bytes == b.bytes ? NumericOrder.precedes(a.slots[0], b.slots[0]) : a.bytes > b.bytes
    }
  }
}
