internal import CMicrohttpd

/// How the process gets its memory.
package enum Heap {
  /// Gives all threads one heap, where the system would give each its own. To be called before there are others.
  ///
  /// What one thread makes another one lets go in a server, all the time, and heaps of their own grow by the pieces into
  /// which nothing fits: 9 % in an hour's worth of diffs, against nothing. The small pieces that a thread keeps to itself
  /// make up for the lock.
  package static func shareAmongThreads() { shim_share_heap() }

  /// Returns memory to the system as soon as a large update has ended. To be called before there are other threads.
  ///
  /// By default glibc takes the arrays of a large update from the heap once one of their size was freed, and returns nothing
  /// until 64 MiB at the heap's end are free: after two diffs of 40,000 rows each 312 MiB stayed resident, and 230 MiB with
  /// these thresholds. They are above what the update of an ordinary page allocates, so that it maps no memory.
  package static func returnUnused() { shim_bound_heap(1 << 20, 4 << 20) }
}
