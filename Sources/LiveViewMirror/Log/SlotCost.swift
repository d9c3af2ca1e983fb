/// What one diff sent for one slot of a template.
///
/// The analysis `SlotTotals` computes the costs of each diff, and ``ChangeRecord/slotCosts`` keeps
/// them. For any range of versions, `CostTotals` adds them up by slot, by template line and by
/// list. The sums in `SlotTotals` are always those since the mount.
package struct SlotCost: Sendable, Hashable {
  /// The node of the slot in the tree of `SlotTotals`; -1 for all slots that this tree does not
  /// contain.
  package let slot: Int32
  /// The size of the values as compact JSON.
  package private(set) var bytes: Int
  /// The size of the values that the tree already had, as ``ChangeRecord/Waste/bytes`` counts them.
  package private(set) var wastedBytes: Int

  package init(slot: Int32, bytes: Int, wastedBytes: Int) {
    (self.slot, self.bytes, self.wastedBytes) = (slot, bytes, wastedBytes)
  }

  package mutating func add(_ bytes: Int, wasted wastedBytes: Int) {
    self.bytes += bytes
    self.wastedBytes += wastedBytes
  }
}
