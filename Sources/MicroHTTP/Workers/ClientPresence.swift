import CLibrary
internal import Synchronization

/// Whether the client of a request that runs on a worker is still connected.
///
/// Only a reset connection counts as disconnected: a client that has closed its writing side may still read, and its socket is
/// in the same state as after a complete close.
final class ClientPresence: Sendable {
  private let descriptor: Int32
  /// Whether the descriptor still belongs to the connection.
  private let isOpen = Atomic<Bool>(true)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the connection was reset. Takes one system call.
  var isGone: Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// The worker calls this when the handler has returned. Afterwards another connection may reuse the descriptor.
  func end() { isOpen.store(false, ordering: .releasing) }
}

extension HTTPError {
  /// A handler throws this when its client has disconnected. Only the log contains it.
  public static var abandoned: HTTPError {
    HTTPError(HTTPStatus(code: 499), "The client closed its connection before the response was ready.")
  }
}
