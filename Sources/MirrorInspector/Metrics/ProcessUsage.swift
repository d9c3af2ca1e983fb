#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The resources that the process uses, read on request. A value that the system does not report is `nil`.
struct ProcessUsage: Sendable {
  /// The time of creation, when the program starts to serve, in seconds since 1970.
  let start: Int

  init() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    start = Int(now.tv_sec)
  }

  var cpuNanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  var residentBytes: Int? {
    Self.text(of: "/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
      $0 * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }

  var threads: Int? {
    Self.text(of: "/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("Threads:") }.flatMap {
      Int($0.dropFirst(8).drop { $0 == "\t" || $0 == " " })
    }
  }

  var openDescriptors: Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      // All entries but `.` and `..`; no other name begins with a dot.
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    // One of the descriptors is that of the open folder.
    return count - 1
  }

  var maximumDescriptors: Int? {
    var limit = rlimit()
    #if canImport(Darwin)
      let result = getrlimit(RLIMIT_NOFILE, &limit)
    #else
      let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
    return result == 0 ? Int(clamping: limit.rlim_cur) : nil
  }

  private static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
