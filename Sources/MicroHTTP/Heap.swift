internal import CMicrohttpd

/// How the process gets its memory.
package enum Heap {
  /// Gives all threads one heap, where the system would give each its own. To be called before there are others.
  ///
  /// What one thread makes another one lets go in a server, all the time, and heaps of their own grow by the pieces into
  /// which nothing fits: 9 % in an hour's worth of diffs, against nothing. The small pieces that a thread keeps to itself
  /// make up for the lock.
  package static func shareAmongThreads() { shim_share_heap() }
}
