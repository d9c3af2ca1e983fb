package import RenderedTree

/// The facts of an update that are empty for most updates. A diff can have a title, events and a
/// reply, which do not change the page; it can have unknown keys, and send entries of lists again.
///
/// ``PreparedUpdate`` reads the parts of the diff, and analyses and `ViewState.record` add the
/// lists. ``ChangeRecord`` returns all of them.
package struct UpdateExtras: Sendable {
  var title: String?
  /// The events of `push_event`, as JSON.
  var events: String?
  /// The answer to the client's event, as JSON.
  var reply: String?
  /// All unknown keys of the diff. ``ChangeRecord/diagnostics`` have only those that the view has
  /// not reported before.
  package var unknownKeys: [UnknownKey]
  package var shiftedLists = ShiftedLists()
  /// The lists with shifted entries, see ``ShiftedLists``, as nodes in the tree of `SlotTotals`.
  package var shiftedNodes: Set<Int32> = []
  var resentLists: [ResentList] = []

  init(of diff: Diff) {
    (title, events, reply) = (diff.title, diff.events?.text, diff.reply?.text)
    unknownKeys = diff.unknownKeys
  }

  var isEmpty: Bool {
    title == nil && events == nil && reply == nil && unknownKeys.isEmpty && shiftedLists.lists.isEmpty
      && shiftedNodes.isEmpty && resentLists.isEmpty
  }
}
