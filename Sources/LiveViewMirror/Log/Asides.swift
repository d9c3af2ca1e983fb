internal import RenderedTree

/// The parts of a diff that do not change the page. Most diffs have no such parts, and then take one word for them in the log.
final class Asides: Sendable {
  let title: String?
  /// The events of `push_event`, as JSON.
  let events: String?
  /// The answer to the client's event, as JSON.
  let reply: String?

  private init(title: String?, events: String?, reply: String?) {
    self.title = title
    self.events = events
    self.reply = reply
  }

  /// - Returns: `nil` if the diff has no such parts.
  static func of(_ diff: Diff) -> Asides? {
    if diff.title == nil, diff.events == nil, diff.reply == nil { return nil }
    return Asides(title: diff.title, events: diff.events?.text, reply: diff.reply?.text)
  }
}
