package import LiveViewMirror
internal import NodeObservation
package import MicroHTTP

/// Counts what a mirror does, for `GET /metrics`.
///
/// Told of every request by the server and of every update by the views; each takes one short lock.
package final class Metrics: LogListener {
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
  package func text(_ usage: MirrorUsage) -> [UInt8] {
    var text = MetricsText()
    text.write(build: version)
    text.write(requests.withLock { $0 })
    text.write(updates.withLock { $0 }, usage)
    text.write(usage)
    text.write(process)
    return text.bytes
  }

  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"
}
