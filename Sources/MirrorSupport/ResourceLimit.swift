internal import CLibrary

/// The limits of the system for this process. `ProcessUsage` reads the number of descriptors for
/// the metrics, and `MachineMemory` the size of the address space.
package enum ResourceLimit {
  /// The maximum number of file descriptors; `nil` if the system does not report it.
  package static var descriptors: Int? { current(RLIMIT_NOFILE) }

  /// The size of the address space in bytes (`ulimit -v`); `nil` if the system does not report it.
  package static var addressSpace: Int? { current(RLIMIT_AS) }

  #if canImport(Darwin)
    private static func current(_ kind: Int32) -> Int? {
      var limit = rlimit()
      return getrlimit(kind, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
  #else
    private static func current(_ kind: __rlimit_resource) -> Int? {
      var limit = rlimit()
      return getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
  #endif
}
