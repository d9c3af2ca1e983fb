internal import RenderedTree

/// What a diff says besides what changes. Few say anything: for all others it is one word in the log.
final class Asides: Sendable {
  let title: String?
  /// What `push_event` sent, as JSON.
  let events: String?
  /// The answer to the client's event, as JSON.
  let reply: String?

  private init(title: String?, events: String?, reply: String?) {
    self.title = title
    self.events = events
    self.reply = reply
  }

  /// - Returns: `nil` where the diff says nothing else.
  static func of(_ diff: Diff) -> Asides? {
    if diff.title == nil, diff.events == nil, diff.reply == nil { return nil }
    return Asides(title: diff.title, events: diff.events?.text, reply: diff.reply?.text)
  }
}
