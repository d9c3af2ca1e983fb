internal import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether the client of a request that runs on a worker is still connected.
///
/// A client that has closed its writing side only may still read, and cannot be told from one that has closed both: so only
/// a connection that was reset counts as gone.
final class ClientPresence: Sendable {
  private let descriptor: Int32
  /// Whether the descriptor still belongs to the connection.
  private let isOpen = Atomic<Bool>(true)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// One system call.
  var isGone: Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// The handler has returned: from here on the descriptor may become another connection's.
  func end() { isOpen.store(false, ordering: .releasing) }
}

extension HTTPError {
  /// Ends a handler whose client is gone: nobody reads it, but the log does.
  public static var abandoned: HTTPError {
    HTTPError(HTTPStatus(code: 499), "The client closed its connection before the answer was made.")
  }
}
