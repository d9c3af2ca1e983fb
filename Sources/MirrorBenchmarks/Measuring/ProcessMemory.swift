import CMeasurement

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system says of this process's memory, in bytes. Linux only; elsewhere 0 and `nil`.
enum ProcessMemory {
  /// Resident now. Free memory of the heap is given back first, so that it does not count.
  static var resident: Int {
    measurement_trim_heap()
    return value(of: "VmRSS:") ?? 0
  }

  /// The most that was resident since ``forgetPeak()``.
  static var peak: Int? { value(of: "VmHWM:") }

  /// Makes the peak what is resident now; says whether the system let us.
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
