package import LiveViewMirror
internal import MirrorSupport
internal import NodeObservation
package import MicroHTTP

/// Counts the requests and updates of a mirror, for `GET /metrics`.
///
/// The server reports every request, and the views every update. Each report takes a lock for a
/// short time.
package final class Metrics: LogListener {
  /// The version of the program.
  let version: String
  private let requests = Guarded(RequestCounts())
  private let updates = Guarded(UpdateCounts())
  private let process = ProcessUsage()

  /// - Parameter version: the version of the program.
  package init(version: String) { self.version = version }

  /// Counts a request.
  package func count(_ report: RequestReport) { requests.withLock { $0.add(report) } }

  package func wrote(_ entry: ChangeLog.Entry, of view: String) {
    updates.withLock { $0.add(entry, of: view) }
  }

  /// Counts nothing: the mirror that accepted the entry counts it.
  package func followed(_ entry: ChangeLog.Entry, of view: String) {}

  package func removed(_ view: String, because reason: RemovalReason) {
    updates.withLock { $0.remove(view, because: reason) }
  }

  /// All metrics in Prometheus' text format 0.0.4.
  ///
  /// - Complexity: O(*routes*), without access to the views.
  package func text(_ usage: MirrorUsage) -> [UInt8] {
    var text = MetricsText()
    text.write(build: version)
    text.write(requests.current)
    text.write(updates.current, usage)
    text.write(usage)
    text.write(process)
    return text.bytes
  }

  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"
}
