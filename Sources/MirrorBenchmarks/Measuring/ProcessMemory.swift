import CLibrary
import MirrorSupport

/// The memory of this process in bytes, as Linux reports it. On other systems, ``used`` is 0 and
/// ``peak`` is `nil`. ``Memory`` and ``ObserverMeasurement`` read it.
extension ProcessMemory {
  /// The resident memory, after the free memory of the heap was returned to the system.
  static var used: Int {
    returnFreeHeap()
    return resident ?? 0
  }

  /// The maximum of resident memory since ``forgetPeak()``.
  static var peak: Int? {
    SystemFile.number(after: "VmHWM:", in: "/proc/self/status").map { $0 * 1024 }
  }

  /// Resets the maximum to the current value.
  ///
  /// - Returns: whether the system permits it.
  static func forgetPeak() -> Bool {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return write(descriptor, "5", 1) == 1
  }
}
