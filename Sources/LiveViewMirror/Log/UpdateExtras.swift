package import RenderedTree

/// The parts that few updates have: those of a diff that do not change the page, its unknown keys,
/// and the lists of which it sent entries again.
///
/// ``PreparedUpdate`` reads them from the diff, analyses and `ViewState.record` add the lists, and
/// ``ChangeRecord`` returns them.
package struct UpdateExtras: Sendable {
  var title: String?
  /// The events of `push_event`, as JSON.
  var events: String?
  /// The answer to the client's event, as JSON.
  var reply: String?
  /// Also those that ``ChangeRecord/diagnostics`` do not repeat.
  package var unknownKeys: [UnknownKey]
  package var shiftedLists = ShiftedLists()
  /// The lists of the analysis of slots with entries that were sent because an earlier one was
  /// inserted or removed.
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
