/// One change that a merge has made to a tree. With its data the change can be undone, and a scoped
/// update can find the parts of the page that the change affects. A `cause` is a position in
/// ``TouchedSlots/slots``. ``Merger`` notes the edits of one merge in order.
package enum Edit: Sendable {
  /// A slot has another value.
  case slot(of: InstancePath, index: Int, old: Slot, cause: Int)
  /// In a comprehension, entries were added, removed, moved or replaced.
  case entries(of: InstancePath, slot: Int, EntriesEdit)
  /// A comprehension has a stream operation that the document has not carried out yet. The cause is
  /// `nil` if the operation is empty.
  case stream(of: InstancePath, slot: Int, cause: Int?)
  /// A component was added, or was sent whole and differs from the previous component with this id.
  /// `old` is `nil` for an added component.
  case component(Int, old: Fragment?, cause: Int)
}
