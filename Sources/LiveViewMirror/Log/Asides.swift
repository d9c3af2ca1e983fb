internal import RenderedTree

/// What few records have: the parts of a diff that do not change the page, and the lists of which it sent entries again. A record
/// without them takes one word for them in the log.
final class Asides: Sendable {
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
  static func of(_ diff: Diff) -> Asides? {
    if diff.title == nil, diff.events == nil, diff.reply == nil { return nil }
    return Asides(title: diff.title, events: diff.events?.text, reply: diff.reply?.text)
  }

  /// - Returns: `asides` if there are no such lists.
  static func adding(_ shiftedLists: ShiftedLists, _ resentLists: [ResentList], to asides: Asides?) -> Asides? {
    if shiftedLists.lists.isEmpty, resentLists.isEmpty { return asides }
    return Asides(
      title: asides?.title, events: asides?.events, reply: asides?.reply, shiftedLists: shiftedLists,
      resentLists: resentLists)
  }
}
