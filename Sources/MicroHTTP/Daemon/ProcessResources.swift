import CLibrary
internal import CMicrohttpd

/// The process's limit of open descriptors. Most shells set it low; a process may raise it up to
/// the hard limit. ``Daemon`` raises it before it accepts connections.
enum DescriptorLimit {
  /// Reserved for everything besides connections.
  private static let others = 64

  /// The largest number of connections for which ``require(_:)`` does not fail: the hard limit
  /// minus ``others``, and at least 0.
  static var possibleConnections: Int {
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return .max }
    return max(0, Int(clamping: limit.rlim_max) - others)
  }

  /// Raises the limit to `connections` plus ``others``. If a process has no descriptor left,
  /// `accept` fails while the socket stays readable, so an accepting thread would run in a busy
  /// loop.
  static func require(_ connections: Int) throws(HTTPServerError) {
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return }
    let wanted = rlim_t(connections + others)
    if limit.rlim_cur >= wanted { return }
    guard limit.rlim_max >= wanted else {
      throw .tooFewDescriptors(connections: connections, limit: Int(clamping: limit.rlim_max))
    }
    limit.rlim_cur = wanted
    guard setrlimit(kind, &limit) == 0 else {
      throw .tooFewDescriptors(connections: connections, limit: Int(clamping: limit.rlim_cur))
    }
  }

  #if canImport(Darwin)
    private static let kind = RLIMIT_NOFILE
  #else
    private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
}

/// Configures the memory allocator of the process. No effect with an allocator other than glibc's.
/// `liveview-mirror serve` calls both functions at its start.
package enum Heap {
  /// Makes all threads use one heap instead of one each (glibc's arenas). Must be called before
  /// other threads start.
  ///
  /// In this server, one thread often frees memory that another one has allocated. With several
  /// heaps this causes fragmentation: they grew by 9 % during an hour's worth of diffs, and a
  /// single heap did not grow. The per-thread caches of small blocks compensate for the lock of the
  /// single heap.
  package static func shareAmongThreads() { shim_share_heap() }

  /// Returns memory to the system as soon as a large update has ended. Must be called before other
  /// threads start.
  ///
  /// By default, after glibc has freed a large array, it allocates later arrays up to that size on
  /// the heap, and returns none of the heap until 64 MiB at its end are free. After two diffs of
  /// 40,000 rows each, 312 MiB remained resident; with these thresholds 230 MiB. The thresholds are
  /// above the allocations of an ordinary page's update, so that such an update maps no memory.
  package static func returnUnused() { shim_bound_heap(1 << 20, 4 << 20) }
}
