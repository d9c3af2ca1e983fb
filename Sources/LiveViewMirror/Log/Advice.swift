/// Sentences that advise the developer of an app how to avoid bytes that need not be sent. Every
/// report takes its advice from here. In the sentences, code is between backquotes.
///
/// The waste report and the insights show this advice for the sums of a view. The log and the page
/// of a diff show it for one diff. The explanation of `unkeyed-list` shows it for lists in general.
package enum Advice {
  /// LiveView ≥ 1.1 identifies the entries without a key by their index (phoenix_live_view #3865,
  /// #4020).
  package static let unkeyed =
    "Add `:key={item.id}` to the comprehension, or use a stream: without a key, an insertion sends every entry after it."
  /// LiveView 1.0 sends all entries in every diff. LiveView 1.0 has no `:key`, so the advice is a
  /// stream or an upgrade.
  package static let positional =
    "Use a stream, or LiveView 1.1 with keys, which sends only the entries that changed: LiveView 1.0 sends all of them."
  /// A value that is evaluated again is sent, even if it is equal to the previous one.
  package static let unchangedEntries =
    "Read only the entry, and assigns that rarely change, in the comprehension, or use a stream."
  /// For a list all of whose entries were sent by several diffs.
  package static let wholeList = "Use a stream, and insert only the entries that change."
  /// For the operations of a stream that changed nothing.
  package static let stream = "Insert only the items that changed, and delete only those that the page has."
  /// For a value outside of lists. `assign/3` does not mark an assign as changed if the new value
  /// is equal.
  package static let unchangedValue =
    "Compute the value in the LiveView and assign it: an assign that stays equal is not sent again."
  /// For elements that one diff removed and added again with the same id.
  package static let recreated = "Keep the tag and the parent of elements with an id, so that they are not made again."

  /// For entries that one diff sent again because their position in the list had changed.
  package static func shifted(isPositional: Bool) -> String { isPositional ? positional : unkeyed }

  /// For entries that one diff sent again with unchanged values.
  package static func unchanged(isPositional: Bool) -> String { isPositional ? positional : unchangedEntries }
}
