package import LiveViewMirror

/// Passes each log entry to two listeners, in this order. ``LiveViews`` has only one listener, so
/// the command `serve` combines ``EventHub`` and ``Metrics``.
package final class LogListeners: LogListener {
  // Two properties instead of an array, because every update calls both.
  private let first: any LogListener
  private let second: any LogListener

  package init(_ first: any LogListener, _ second: any LogListener) {
    self.first = first
    self.second = second
  }

  package func wrote(_ entry: ChangeLog.Entry, of view: String) {
    first.wrote(entry, of: view)
    second.wrote(entry, of: view)
  }

  package func followed(_ entry: ChangeLog.Entry, of view: String) {
    first.followed(entry, of: view)
    second.followed(entry, of: view)
  }

  package func isListening(to view: String) -> Bool { first.isListening(to: view) || second.isListening(to: view) }

  package var listened: [String] { first.listened + second.listened }

  package func reloads(_ view: String, isGap: Bool) {
    first.reloads(view, isGap: isGap)
    second.reloads(view, isGap: isGap)
  }

  package func removed(_ view: String, because reason: RemovalReason) {
    first.removed(view, because: reason)
    second.removed(view, because: reason)
  }

  package func answered(_ cause: UpdateCause, of view: String) {
    first.answered(cause, of: view)
    second.answered(cause, of: view)
  }

  package func crashed(_ view: String) {
    first.crashed(view)
    second.crashed(view)
  }
}
