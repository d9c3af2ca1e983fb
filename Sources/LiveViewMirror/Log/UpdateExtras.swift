internal import RenderedTree

/// The parts that few records have: those of a diff that do not change the page, and the lists of which it sent entries again.
///
/// ``PreparedUpdate`` reads the parts, `ViewState.record` adds the lists, and ``ChangeRecord`` returns both. A record without them takes
/// one word for them in the log.
final class UpdateExtras: Sendable {
  let title: String?
  /// The events of `push_event`, as JSON.
  let events: String?
  /// The answer to the client's event, as JSON.
  let reply: String?
  let shiftedLists: ShiftedLists
  let resentLists: [ResentList]

  private init(
    title: String?, events: String?, reply: String?, shiftedLists: ShiftedLists = ShiftedLists(),
    resentLists: [ResentList] = []
  ) {
    self.title = title
    self.events = events
    self.reply = reply
    self.shiftedLists = shiftedLists
    self.resentLists = resentLists
  }

  /// - Returns: `nil` if the diff has no such parts.
  static func of(_ diff: Diff) -> UpdateExtras? {
    if diff.title == nil, diff.events == nil, diff.reply == nil { return nil }
    return UpdateExtras(title: diff.title, events: diff.events?.text, reply: diff.reply?.text)
  }

  /// - Returns: `extras` if there are no such lists.
  static func adding(_ shiftedLists: ShiftedLists, _ resentLists: [ResentList], to extras: UpdateExtras?)
    -> UpdateExtras?
  {
    if shiftedLists.lists.isEmpty, resentLists.isEmpty { return extras }
    return UpdateExtras(
      title: extras?.title, events: extras?.events, reply: extras?.reply, shiftedLists: shiftedLists,
      resentLists: resentLists)
  }
}
