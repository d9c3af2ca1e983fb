internal import CLibrary
internal import MirrorSupport

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

  var residentBytes: Int? { ProcessMemory.resident }

  var threads: Int? {
    SystemFile.text(of: "/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("Threads:") }.flatMap {
      Int($0.dropFirst(8).drop { $0 == "\t" || $0 == " " })
    }
  }

  var openDescriptors: Int? {
    // One of the descriptors is that of the folder, while it is read.
    SystemFile.names(in: "/proc/self/fd").map { $0.count - 1 }
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
}
