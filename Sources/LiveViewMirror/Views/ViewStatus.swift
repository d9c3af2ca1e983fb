package import RenderedTree

/// Whether a LiveView is connected, according to the frames of its channel. A `ViewLife` has it,
/// and the lists of views and pages show it.
///
/// The HTTP API and journals have the raw values, so these must not change.
public enum ViewStatus: String, Sendable, CaseIterable {
  /// The client has pushed a join that the server has not answered.
  case joining
  /// The view is mounted.
  case joined
  /// The view's process has crashed (`phx_error`), or the server has refused the join. The client
  /// joins again.
  case crashed
  /// The client has left the view (`phx_leave`), for example because of navigation.
  case left
  /// The server has closed the view's channel (`phx_close`), or the page has closed.
  case closed

  /// Whether the view receives no more diffs, unless its client joins again.
  package var isEnded: Bool {
    switch self {
    case .joining, .joined: false
    case .crashed, .left, .closed: true
    }
  }
}

/// What the frames of a view's channel state about the view, apart from its document: its status,
/// address and element. ``PageTable`` has one for each view that has received such frames, even if
/// the view was never mounted.
package struct ViewLife: Sendable {
  /// The page load that the view belongs to; `nil` for a feed that names none.
  package let page: String?
  package var status: ViewStatus
  /// The address that the view shows. A nested view has none.
  package var url: String?
  /// The view's element according to the join reply.
  package var container: ViewContainer?
  /// Whether the view comes from a file. The inspector opens it at its first version.
  package var isImported = false
  /// Whether the view was mounted by a resumption: the mirror had missed frames, so the feed has
  /// sent what the client holds.
  package var isResumed = false
  /// The reason that the server has given for refusing the join.
  package var refusal: String?

  init(page: String?, status: ViewStatus = .joined) {
    self.page = page
    self.status = status
  }

  /// Updates the status by a message that the client would accept.
  mutating func note(_ message: WireMessage) {
    switch message.content {
    case .join(let push):
      status = .joining
      refusal = nil
      if let url = push.url { self.url = url }
    case .rendered:
      status = .joined
      isResumed = message.exported?.content == ContainerContent.resumed.rawValue
      container = message.container ?? container
    case .refused(let reason) where message.ref != nil && message.ref == message.joinRef:
      // A refusal with another address is a redirection, so the client leaves the view.
      status = message.move == nil ? .crashed : .left
      refusal = reason
    case .other("phx_error"): status = .crashed
    case .other("phx_leave"): status = .left
    // The server closes the channel after the client has left it, too.
    case .other("phx_close") where status != .left: status = .closed
    case .other, .diff, .destroyed, .event, .refused: break
    }
  }
}

extension WireMessage {
  /// Whether the message may change the status of its view or the address of its page.
  var changesPage: Bool {
    if move != nil { return true }
    switch content {
    case .join, .rendered, .refused: return true
    case .other(let event): return ["phx_error", "phx_leave", "phx_close"].contains(event)
    case .diff, .destroyed, .event: return false
    }
  }
}
