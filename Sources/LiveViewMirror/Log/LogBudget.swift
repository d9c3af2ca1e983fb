internal import MirrorSupport
internal import Synchronization

/// The memory that the logs of all views of a mirror share (``MirrorLimits/logBytes``).
///
/// Each view reports by how many bytes its log has grown or shrunk. When the sum exceeds the limit, the thread whose update
/// exceeded it evicts entries before its update returns. Evicting large entries takes as long as applying them, so the updates of
/// other views do not wait for that thread. They wait only while the sum exceeds the limit by more than an eighth: so a feed that is
/// faster than the eviction cannot fill the memory.
///
/// - Complexity: while the sum is within the limit, O(1) for each update and without a lock.
final class LogBudget: Sendable {
  /// The maximum sum, in bytes.
  let limit: Int
  /// The estimated memory of all logs in bytes.
  private let used = Atomic<Int>(0)
  /// Entries are evicted when ``used`` exceeds it. More than ``limit`` only while the newest entries of the views, which are never
  /// evicted, take more than the limit. Then the next eviction waits for another ``slack`` bytes, and not every update searches all
  /// views in vain.
  private let threshold: Atomic<Int>
  /// Held for one eviction. A thread that has it takes the lock of the list of views, and then of one view after the other, but
  /// never two at once. No thread waits for it with any of those locks. An eviction frees ``slack`` bytes more than it must, so
  /// entries that are added at its end need no other one.
  let eviction = Lock()
  private let owner = Guarded(Owner())

  private struct Owner { weak var views: LiveViews? }

  /// - Parameter limit: in bytes.
  init(limit: Int) {
    self.limit = max(0, limit)
    threshold = Atomic(max(0, limit))
  }

  /// Sets the mirror whose entries are evicted.
  func belong(to views: LiveViews) { owner.withLock { $0.views = views } }

  /// The number of bytes to evict beyond the limit, so that not every later entry causes an eviction.
  var slack: Int { min(limit / 8, 1 << 20) }

  /// The estimated memory of all logs in bytes.
  var bytes: Int { used.load(ordering: .relaxed) }

  /// Notes that a log has grown or shrunk.
  func add(_ bytes: Int) {
    if bytes == 0 { return }
    let sum = used.wrappingAdd(bytes, ordering: .sequentiallyConsistent).newValue
    if bytes < 0 { lowerThreshold(after: sum) }
  }

  /// Evicts entries if the logs take too much memory. The caller has no lock.
  ///
  /// - Parameter view: the view that was updated. Entries are evicted from its log only, if the mirror does not exist any more.
  /// - Complexity: O(1) within the limit, otherwise O(*views* · log *views* + *evicted entries*).
  func enforce(after view: LiveViewCoordinator) {
    guard isExceeded else { return }
    if bytes - limit > limit / 8 {
      eviction.lock()
    } else if !eviction.tryLock() {
      return
    }
    defer { eviction.unlock() }
    // The thread that had the lock before may have evicted enough.
    guard isExceeded else { return }
    if let views = owner.withLock({ $0.views }) {
      views.evictEntries { [self] in bytes - (limit - slack) }
    } else {
      view.evictEntries(bytes: bytes - (limit - slack))
    }
    let left = used.load(ordering: .sequentiallyConsistent)
    threshold.store(left > limit ? left + slack : limit, ordering: .sequentiallyConsistent)
    // Logs that have shrunk meanwhile.
    lowerThreshold(after: used.load(ordering: .sequentiallyConsistent))
  }

  private var isExceeded: Bool {
    used.load(ordering: .sequentiallyConsistent) > threshold.load(ordering: .sequentiallyConsistent)
  }

  private func lowerThreshold(after sum: Int) {
    threshold.min(max(limit, sum + slack), ordering: .sequentiallyConsistent)
  }
}
