import CLibrary
import CMeasurement

/// The memory of this process in bytes, as the system reports it. Linux only; elsewhere 0 and `nil`.
enum ProcessMemory {
  /// The resident memory. Free memory of the heap is returned to the system first, so it is not counted.
  static var resident: Int {
    measurement_trim_heap()
    return value(of: "VmRSS:") ?? 0
  }

  /// The maximum of resident memory since ``forgetPeak()``.
  static var peak: Int? { value(of: "VmHWM:") }

  /// Resets the maximum to the current value.
  ///
  /// - Returns: whether the system permits it.
  static func forgetPeak() -> Bool {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return write(descriptor, "5", 1) == 1
  }

  private static func value(of field: String) -> Int? {
    let line = File.line(beginning: field, of: "/proc/self/status")
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}
