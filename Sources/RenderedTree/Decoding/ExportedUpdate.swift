/// What a line of this program's export says about a mount or diff besides the update itself. Of the lines of a feed, only a view's
/// resumption has such members: the markup that the page shows, beside the tree that the client holds.
///
///     {"at": 1764000000000, "sent": false, "over": "resumed", "before": "<p>…", "frame": ["4", "4", "lv:phx-F1", "phx_reply", …]}
///
///     {"view": "main", "at": 1764000000000, "epoch": 3, "over": "dead", "dialect": "html", "rendered": {…}}
///     {"view": "main", "at": 1764000000250, "cause": {"event": "inc", "type": "click", …, "latency_ms": 12.5}, "diff": {…}}
package final class ExportedUpdate: Sendable {
  /// The epoch of a mount.
  package let epoch: Int?
  /// The content of the view's element before a mount: `dead`, `empty`, `kept` or `resumed`.
  package let content: String?
  /// The markup of the view's element before a rejoin or a resumption, if the result depends on it.
  package let markupBefore: String?
  /// The event that a diff answers.
  package let cause: Cause?

  init(epoch: Int?, content: String?, markupBefore: String?, cause: Cause?) {
    self.epoch = epoch
    self.content = content
    self.markupBefore = markupBefore
    self.cause = cause
  }

  /// A client's event, and what is known of its answer.
  package struct Cause: Sendable {
    package let event: ClientEvent
    package let ref: String
    /// In milliseconds.
    package let latency: Double?
  }

  /// The highest epoch that an export may name. Later mounts continue from it.
  package static let highestEpoch = 1 << 31
}
