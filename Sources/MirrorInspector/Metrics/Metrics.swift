package import LiveViewMirror
internal import NodeObservation
package import MicroHTTP

/// Counts what a mirror does, for `GET /metrics`.
///
/// Told of every request by the server and of every update by the views; each takes one short lock.
package final class Metrics: LogListener {
  /// What the mirror may keep, and what it keeps at the moment, as far as others know it.
  package struct Levels: Sendable {
    /// By name, such as `views`: each is a value of the label `what`.
    package var limits: [(what: String, value: Int)]
    package var clients: Int
    package var subscriptions: Int
    package var logEntries: Int
    package var logBytes: Int
    /// Entries of logs that were let go, since the start.
    package var evictedEntries: Int

    package init(
      limits: [(what: String, value: Int)] = [], clients: Int = 0, subscriptions: Int = 0, logEntries: Int = 0,
      logBytes: Int = 0, evictedEntries: Int = 0
    ) {
      self.limits = limits
      self.clients = clients
      self.subscriptions = subscriptions
      self.logEntries = logEntries
      self.logBytes = logBytes
      self.evictedEntries = evictedEntries
    }
  }

  private let version: String
  private let requests = Guarded(RequestCounts())
  private let updates = Guarded(UpdateCounts())
  private let process = ProcessUsage()

  /// - Parameter version: the program's.
  package init(version: String) { self.version = version }

  /// Counts a request.
  package func count(_ report: RequestReport) { requests.withLock { $0.add(report) } }

  package func wrote(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor, of view: String) {
    updates.withLock { $0.add(entry, of: view) }
  }

  package func removed(_ view: String, because reason: RemovalReason) {
    updates.withLock { $0.remove(view, because: reason) }
  }

  /// Everything, in Prometheus' text format 0.0.4.
  ///
  /// - Complexity: O(*routes*); of the views none is asked.
  package func text(_ levels: Levels) -> [UInt8] {
    var text = MetricsText()
    text.write(build: version)
    text.write(requests.withLock { $0 })
    text.write(updates.withLock { $0 }, levels)
    text.write(levels)
    text.write(process)
    return text.bytes
  }

  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"
}
