internal import CLibrary
internal import MirrorSupport

/// The resources that the process uses, read on request. A value that the system does not report is
/// `nil`. ``Metrics`` has one.
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

  var threads: Int? { SystemFile.number(after: "Threads:", in: "/proc/self/status") }

  var openDescriptorCount: Int? {
    // Reading the folder opens one more descriptor, which is subtracted.
    SystemFile.names(in: "/proc/self/fd").map { $0.count - 1 }
  }

  var maximumDescriptors: Int? { ResourceLimit.descriptors }
}
