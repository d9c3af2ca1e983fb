/// The members of an export's line besides the mount or diff itself. `LiveViewCoordinator` reads
/// these members at a mount, and for the cause of a diff. Lines of a feed do not have them, with
/// one exception: the line by which a feed resumes a view has `over`, and in `before` the markup
/// that the page shows, beside the tree that the client holds.
///
///     {"at": 1764000000000, "sent": false, "over": "resumed", "before": "<p>…", "frame": ["4", "4", "lv:phx-F1", "phx_reply", …]}
///
///     {"view": "main", "at": 1764000000000, "epoch": 3, "over": "dead", "dialect": "html", "rendered": {…}}
///     {"view": "main", "at": 1764000000250, "cause": {"event": "inc", "type": "click", …, "latency_ms": 12.5}, "diff": {…}}
package final class ExportedUpdate: Sendable {
  /// The epoch of a mount.
  package let epoch: Int?
  /// The content of the view's element before a mount: `dead` (the dead render), `empty`, `kept`
  /// (the DOM of the previous join) or `resumed` (the DOM that the page shows).
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

  /// A client's event, and how long the server's answer took.
  package struct Cause: Sendable {
    package let event: ClientEvent
    package let ref: String
    /// The time from the event to its answer, in milliseconds; `nil` if the export does not state
    /// it.
    package let latency: Double?
  }

  /// The highest epoch that an export may name. Later mounts of the view count on from this epoch,
  /// so it must be far from an overflow.
  package static let highestEpoch = 1 << 31
}

// MARK: - Decoding

/// Decodes the members that only the lines of an export have; see ``ExportedUpdate``.
extension WireDecoder.Reader {
  /// The first member of an export: `{"liveview_mirror": {"export": 1, …}}`.
  static var exportMark: String { "liveview_mirror" }

  /// Decodes `{"view": "main", "destroyed": [1, 2]}`: components that the server has destroyed.
  func destroyed(_ components: Int) throws(WireError) -> WireMessage {
    guard tape.kind(components) == .array else { throw wrong("\"destroyed\" must be an array", at: components) }
    return WireMessage(content: .destroyed(components: tape.elements(components).compactMap(tape.integer)))
  }

  /// - Returns: `nil` if the line is neither from an export nor a resumption.
  func exported(_ line: Int) throws(WireError) -> ExportedUpdate? {
    let (epoch, content) = (try only("epoch", of: line), try only("over", of: line))
    let (before, cause) = (try only("before", of: line), try only("cause", of: line))
    if epoch == nil, content == nil, before == nil, cause == nil { return nil }
    return ExportedUpdate(
      epoch: try epoch.map(epochNumber),
      content: try content.map { value throws(WireError) in try text("over", value) },
      markupBefore: try before.map { value throws(WireError) in try text("before", value) },
      cause: try cause.flatMap(exportedCause))
  }

  private func text(_ name: String, _ value: Int) throws(WireError) -> String {
    guard let text = tape.string(value) else { throw wrong("\"\(name)\" must be a string", at: value) }
    return text
  }

  private func epochNumber(_ value: Int) throws(WireError) -> Int {
    guard let epoch = tape.integer(value), (1...ExportedUpdate.highestEpoch).contains(epoch) else {
      throw wrong("\"epoch\" must be a number from 1 to \(ExportedUpdate.highestEpoch)", at: value)
    }
    return epoch
  }

  private func exportedCause(_ value: Int) throws(WireError) -> ExportedUpdate.Cause? {
    if tape.isNull(value) { return nil }
    guard let event = tape.member("event", of: value).flatMap(tape.string),
      let ref = tape.member("ref", of: value).flatMap(tape.string)
    else { throw wrong("\"cause\" must have an \"event\" and a \"ref\"", at: value) }
    return ExportedUpdate.Cause(
      event: clientEvent(name: event, members: value, target: "target"), ref: ref,
      latency: tape.member("latency_ms", of: value).flatMap(tape.number).flatMap(FrameLine.time))
  }
}
