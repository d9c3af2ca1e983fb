package import LiveViewMirror

/// Two that hear of the logs of views, in this order.
package final class LogListeners: LogListener {
  // Each in its place, and not in a list: every update asks both.
  private let first: any LogListener
  private let second: any LogListener

  package init(_ first: any LogListener, _ second: any LogListener) {
    self.first = first
    self.second = second
  }

  package func wrote(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor, of view: String) {
    first.wrote(entry, at: cursor, of: view)
    second.wrote(entry, at: cursor, of: view)
  }

  package func removed(_ view: String, because reason: RemovalReason) {
    first.removed(view, because: reason)
    second.removed(view, because: reason)
  }
}
