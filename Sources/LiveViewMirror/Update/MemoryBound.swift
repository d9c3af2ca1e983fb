internal import MirrorSupport

/// The memory that the process may have. An update that would need more is refused, unless it is
/// applied again from the journal.
///
/// Decoders, mounts and full updates check it before they allocate. The thread that frees memory
/// reads the excess from it. A scoped update needs little and is not checked.
struct MemoryBound: Sendable {
  /// In bytes; `nil` if there is no bound.
  private let memory: Int?
  /// Whether an update that would take too much memory is refused. An update from the journal is
  /// not: it was accepted before, but other data, such as the oldest kept version, may take more
  /// memory now.
  let refuses: Bool
  /// In bytes. An update that needs less is not checked, because the check takes a system call.
  private static let least = 16 << 20

  /// - Parameters:
  ///   - memory: the bound in bytes: ``UpdateOptions/memory``.
  ///   - refuses: false for updates that were accepted before. For them, the check only returns the
  ///     free memory of the heap to the system.
  init(_ memory: Int?, refuses: Bool = true) { (self.memory, self.refuses) = (memory, refuses) }

  static let unlimited = MemoryBound(nil)

  /// The number of bytes by which the resident memory would exceed seven eighths of the bound; 0 if
  /// it would not. Before an excess is reported, the free memory of the heap is returned to the
  /// system, and the resident memory is measured again.
  ///
  /// - Parameter needed: how many bytes will be needed beside those that are resident now,
  ///   estimated.
  func excess(with needed: Int) -> Int {
    guard let memory, needed > Self.least else { return 0 }
    let most = memory / 8 * 7 - needed
    guard let before = ProcessMemory.resident, before > most else { return 0 }
    ProcessMemory.returnFreeHeap()
    return max(0, (ProcessMemory.resident ?? 0) - most)
  }

  /// Checks that an update has no ``excess(with:)``.
  ///
  /// - Throws: ``UpdateError/Kind/outOfMemory``.
  func require(_ needed: Int) throws(UpdateError) {
    guard excess(with: needed) > 0, refuses, let memory else { return }
    let resident = ProcessMemory.resident ?? 0
    throw UpdateError(
      .outOfMemory,
      reason: """
        the update would need about \(needed >> 20) MiB, and the mirror already uses \(resident >> 20) MiB of its \(memory >> 20) MiB; \
        delete other views, or start the mirror with more memory (--memory)
        """)
  }
}
