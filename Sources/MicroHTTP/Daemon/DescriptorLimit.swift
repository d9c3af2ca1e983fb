#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How many descriptors the process may have open: a limit that most shells set low, and that everybody may raise.
enum DescriptorLimit {
  /// What the rest of the program may have open besides connections.
  private static let others = 64

  /// Makes room for so many connections. Without it the daemon would be unable to accept some, and turn around on them.
  static func require(_ connections: Int) throws(HTTPServerError) {
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return }
    let wanted = rlim_t(connections + others)
    if limit.rlim_cur >= wanted { return }
    guard limit.rlim_max >= wanted else {
      throw .tooFewDescriptors(connections: connections, limit: Int(clamping: limit.rlim_max))
    }
    limit.rlim_cur = wanted
    guard setrlimit(kind, &limit) == 0 else {
      throw .tooFewDescriptors(connections: connections, limit: Int(clamping: limit.rlim_cur))
    }
  }

  #if canImport(Darwin)
    private static let kind = RLIMIT_NOFILE
  #else
    private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
}
