import CLibrary

/// The process's limit of open descriptors. Most shells set it low; a process may raise it up to the hard limit.
enum DescriptorLimit {
  /// Reserved for everything besides connections.
  private static let others = 64

  /// The number of connections for which ``require(_:)`` does not fail. 0 if the process may open only a few descriptors.
  static var possibleConnections: Int {
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return .max }
    return max(0, Int(clamping: limit.rlim_max) - others)
  }

  /// Raises the limit to `connections` plus ``others``. At the limit, `accept` fails while the socket stays readable, so an
  /// accepting thread would run in a busy loop.
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
