internal import CLibrary

/// The memory of this process, as Linux reports it. On other systems ``resident`` is `nil`.
/// `MemoryBound` and the metrics read it.
package enum ProcessMemory {
  /// The resident memory in bytes.
  package static var resident: Int? {
    SystemFile.text(of: "/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
      $0 * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }

  /// Returns the free memory of the heap to the system. Only glibc's allocator can do this; with
  /// another allocator, nothing happens.
  ///
  /// - Complexity: O(*size of the heap*); other threads cannot allocate meanwhile.
  package static func returnFreeHeap() {
    typealias Trim = @convention(c) (Int) -> Int32
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: Trim.self)(0)
  }
}
