internal import LiveViewMirror

/// The default limits of memory, in bytes. The comment of each limit names what it bounds. Together
/// they take at most half of what the process may have, and at most 320 MiB: the rest is for the
/// program itself, and for what a limit does not count, such as the overhead of the heap.
///
/// ``ServeSettings`` makes one. A unit is at least 256 KiB, and ``bodies`` has room for the largest
/// body, even if the sum is then above these bounds.
struct MemoryPlan: Sendable, Hashable {
  /// A twentieth of the sum, in bytes: ``bodies`` takes at least two units, and the other limits
  /// take 18.
  private let unit: Int
  /// The bodies that are being received: the largest one must have room.
  let bodies: Int

  /// - Parameters:
  ///   - memory: the bytes that the process may have; `nil` if unknown.
  ///   - body: the size of the largest body.
  init(of memory: Int?, body: Int) {
    let (quarter, half) = (1 << 18, (memory ?? .max) / 2)
    let share = min(half / 20, max(0, half - body) / 18)
    unit = max(quarter, min(16 << 20, share / quarter * quarter))
    bodies = max(2 * unit, body)
  }

  /// Whether the limits are less than on a machine with much memory.
  var isReduced: Bool { unit < 16 << 20 }

  /// See `MirrorLimits/logBytes`.
  var logs: Int { 4 * unit }
  /// See `MirrorLimits/pageBytes`.
  var pages: Int { 4 * unit }
  /// The jobs that run together on worker threads.
  var work: Int { 3 * unit }
  /// The responses that clients have not read.
  var answers: Int { 2 * unit }
  /// The responses that are kept, to be sent again.
  var cache: Int { 2 * unit }
  /// The events that clients have not read.
  var events: Int { 2 * unit }
  /// The last events of views, for clients that connect again.
  var tails: Int { unit }

  /// All limits by name, in bytes. Those of logs and pages are in `limits`, because settings can
  /// change them.
  func all(_ limits: MirrorLimits) -> [(name: String, bytes: Int)] {
    [
      ("log_bytes", limits.logBytes), ("page_bytes", limits.pageBytes), ("work_bytes", work),
      ("body_bytes", bodies),
      ("response_bytes", answers), ("cache_bytes", cache), ("event_bytes", events), ("recent_event_bytes", tails),
    ]
  }
}
