internal import MirrorSupport
internal import Synchronization

/// The memory limit that the logs of all views share (``MirrorLimits/logBytes``), or the one that
/// their pages share (``MirrorLimits/pageBytes``). ``LiveViews`` makes both budgets.
///
/// Each view reports by how many bytes its log or page has grown or shrunk. When an update makes
/// the sum exceed the limit, the thread of that update evicts entries or pages before the update
/// returns. With a journal, the thread that frees memory evicts instead.
///
/// - Complexity: while the sum is within the limit, O(1) for each update and without a lock.
final class MemoryBudget: Sendable {
  /// The maximum sum, in bytes.
  let limit: Int
  private let used = Atomic<Int>(0)
  /// Bytes that are not in ``used`` but count towards the limit, as of the last eviction; see
  /// ``enforce(adding:_:)``.
  private let others = Atomic<Int>(0)
  /// The budget of which this is a part.
  private let whole: MemoryBudget?
  /// A thread evicts when the sum exceeds the threshold. The threshold is above ``limit`` only
  /// while content that cannot be evicted takes more than the limit: the newest entries of the
  /// logs, or a page that is larger than the limit. Then the next eviction waits for another
  /// ``slack`` bytes, so that not every update searches all views in vain.
  private let threshold: Atomic<Int>
  /// The lock of ``enforceInTurn(_:)``. A thread that holds it takes the lock of the view
  /// directory, and then the lock of one view after the other, never of two views at once. No
  /// thread waits for ``eviction`` while it holds one of those locks.
  let eviction = Lock()
  private let owner = Guarded(Owner())

  private struct Owner { weak var views: LiveViews? }

  /// - Parameters:
  ///   - limit: in bytes.
  ///   - whole: the budget of which this is a part. Each byte of this budget counts there, too.
  init(limit: Int, within whole: MemoryBudget? = nil) {
    self.limit = max(0, limit)
    self.whole = whole
    threshold = Atomic(max(0, limit))
  }

  /// The mirror whose memory is counted; `nil` if it does not exist any more.
  var views: LiveViews? { owner.withLock { $0.views } }

  /// Sets the mirror whose memory is counted. Called once, before any view exists.
  func belong(to views: LiveViews) { owner.withLock { $0.views = views } }

  /// The number of bytes to evict from logs beyond the limit, so that not every later entry causes
  /// an eviction.
  var slack: Int { min(limit / 8, 1 << 20) }

  /// The number of bytes to evict: those beyond the limit, and ``slack``.
  var excess: Int { bytes - (limit - slack) }

  /// The estimated sum in bytes.
  var bytes: Int { used.load(ordering: .relaxed) }

  /// Notes that a log or page has grown or shrunk.
  func add(_ bytes: Int) {
    if bytes == 0 { return }
    let sum = used.wrappingAdd(bytes, ordering: .sequentiallyConsistent).newValue
    if bytes < 0 { lowerThreshold(after: sum) }
    whole?.add(bytes)
  }

  /// Runs `evict` if the sum exceeds the limit. The caller must not hold the lock of a view.
  ///
  /// - Parameter others: returns bytes that are not in the sum, but count towards the limit.
  /// - Complexity: O(1) within the limit.
  func enforce(adding others: () -> Int = { 0 }, _ evict: () -> Void) {
    guard isExceeded(by: others()) else { return }
    evict()
    let besides = others()
    self.others.store(besides, ordering: .sequentiallyConsistent)
    let left = used.load(ordering: .sequentiallyConsistent) + besides
    threshold.store(left > limit ? left + slack : limit, ordering: .sequentiallyConsistent)
    // The sum may have shrunk between the load and the store.
    lowerThreshold(after: used.load(ordering: .sequentiallyConsistent))
  }

  /// As ``enforce(adding:_:)``, but only one thread at a time runs `evict`. Other threads return at
  /// once, unless the sum exceeds the limit by more than an eighth. Then they wait, so that a feed
  /// that is faster than the eviction cannot fill the memory.
  func enforceInTurn(_ evict: () -> Void) {
    guard isExceeded(by: 0) else { return }
    if bytes - limit > limit / 8 {
      eviction.lock()
    } else if !eviction.tryLock() {
      return
    }
    defer { eviction.unlock() }
    // The thread that had the lock before may have evicted enough.
    enforce(evict)
  }

  private func isExceeded(by others: Int) -> Bool {
    used.load(ordering: .sequentiallyConsistent) + others > threshold.load(ordering: .sequentiallyConsistent)
  }

  private func lowerThreshold(after sum: Int) {
    let sum = sum + others.load(ordering: .sequentiallyConsistent)
    threshold.min(max(limit, sum + slack), ordering: .sequentiallyConsistent)
  }
}

/// The bytes of one view that a ``MemoryBudget`` counts. Read without a lock. Changed under the
/// lock of the view's state. While a view is not loaded, or when its removal begins, the number is
/// changed under the directory's lock, or by the thread that loads the view.
final class MemoryAccount: Sendable {
  private let budget: MemoryBudget?
  private let counted = Atomic<Int>(0)

  /// - Parameter budget: `nil` for a view on its own.
  init(in budget: MemoryBudget?) { self.budget = budget }

  deinit { budget?.add(-bytes) }

  /// The estimated memory in bytes; 0 for a removed view.
  var bytes: Int { counted.load(ordering: .relaxed) }

  /// Sets the size.
  func set(_ bytes: Int) {
    let change = bytes - counted.exchange(bytes, ordering: .relaxed)
    budget?.add(change)
  }
}

/// The memory of one view.
struct MemoryAccounts: Sendable {
  /// The logs of all epochs.
  let log: MemoryAccount
  /// The pages of all epochs, with the oldest kept versions and the drawn views.
  let page: MemoryAccount
}
