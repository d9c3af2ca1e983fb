internal import LiveViewMirror

/// The default limits of memory. Together they take at most half of what the process may have, and at most 320 MiB: the rest is for the program
/// itself, and for what a limit does not count, such as the overhead of the heap.
struct MemoryPlan: Sendable, Hashable {
  /// A twentieth of the sum, in bytes.
  private let unit: Int

  /// - Parameter memory: the bytes that the process may have; `nil` if unknown.
  init(of memory: Int?) {
    let quarter = 1 << 18
    unit = max(quarter, min(16 << 20, (memory ?? .max) / 40 / quarter * quarter))
  }

  /// Whether the limits are less than on a machine with much memory.
  var isReduced: Bool { unit < 16 << 20 }

  /// See `MirrorLimits/logBytes`.
  var logs: Int { 4 * unit }
  /// See `MirrorLimits/pageBytes`.
  var pages: Int { 4 * unit }
  /// The jobs that run together on worker threads.
  var work: Int { 3 * unit }
  /// The bodies that are being received.
  var bodies: Int { 2 * unit }
  /// The responses that clients have not read.
  var answers: Int { 2 * unit }
  /// The responses that are kept, to be sent again.
  var cache: Int { 2 * unit }
  /// The events that clients have not read.
  var events: Int { 2 * unit }
  /// The last events of views, for clients that connect again.
  var tails: Int { unit }

  /// All limits by name, in bytes, with those of the settings.
  ///
  /// - Parameter body: the size of the largest body, which must have room.
  func all(_ limits: MirrorLimits, body: Int) -> [(name: String, bytes: Int)] {
    [
      ("log_bytes", limits.logBytes), ("page_bytes", limits.pageBytes), ("work_bytes", work),
      ("body_bytes", max(bodies, body)),
      ("response_bytes", answers), ("cache_bytes", cache), ("event_bytes", events), ("recent_event_bytes", tails),
    ]
  }
}
