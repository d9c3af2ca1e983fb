import CLibrary
internal import CMicrohttpd
internal import MirrorSupport

/// Distributes connections to the event loops in turn, but passes over busy loops if any loop is
/// idle.
///
/// libmicrohttpd could accept by itself. But `MHD_quiesce_daemon`, which stops accepting, races
/// with libmicrohttpd's threads and sometimes aborts the process (0.9.75, "Failed to remove listen
/// FD from epoll set"). And at its limit of connections, libmicrohttpd lets clients wait and
/// reports nothing. The acceptor avoids both problems: when the server stops or the limit is
/// reached, the server itself no longer calls `accept`.
///
/// ``Daemon`` makes the acceptor when all event loops have started, because ``acceptOne(_:)`` needs
/// the handle of a loop. ``ConnectionMonitor`` calls the acceptor. The acceptor's properties are
/// constants, so threads may share it.
struct Acceptor: Sendable {
  let socket: ListeningSocket
  let loops: [EventLoop]

  /// - Parameter expect: called with the descriptor and `true` before libmicrohttpd gets the
  ///   connection, and with `false` if libmicrohttpd refuses it.
  /// - Returns: false when the backlog is empty or `accept` failed.
  func acceptOne(_ expect: (Int32, Bool) -> Void) -> Bool {
    socket.takeOne { connection, address, length in
      expect(connection, true)
      // The system assigns the lowest free descriptor, so successive connections begin the search
      // at different loops.
      let turn = loops.indices.map { loops[(Int(connection) + $0) % loops.count] }
      guard let handle = (turn.first { !$0.isBusy } ?? turn.first)?.handle,
        MHD_add_connection(handle, connection, address, length) == .YES
      else { return expect(connection, false) }
    }
  }
}

/// Accepting connections. ``Daemon`` calls ``startAccepting(_:)`` and ``stopAccepting()``. Between
/// these two calls, only the monitor's thread accepts.
extension ConnectionMonitor {
  func startAccepting(_ acceptor: Acceptor) {
    state.withLock { $0.acceptor = acceptor }
    events.addListener(acceptor.socket.descriptor, again: false)
    events.interrupt()
  }

  /// Accepts the connections that are in the backlog, because their clients take them for
  /// established. Later connections are not accepted.
  func stopAccepting() {
    let acceptor = state.withLock { state in
      defer { state.acceptor = nil }
      return state.acceptor
    }
    guard let acceptor else { return }
    while acceptor.acceptOne(expect) {}
  }

  /// Accepts until the backlog is empty or the maximum is reached. The rest of the backlog waits
  /// until a connection ends.
  func acceptPending() {
    while let acceptor = state.withLock({ $0.acceptor }) {
      let hasRoom = state.withLock { state in
        state.isFull = state.clients.count + state.arriving.count >= maximumConnections
        return !state.isFull
      }
      if !hasRoom { return }
      guard acceptor.acceptOne(expect) else {
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
          // Try again at the next check: trying at once would be a busy loop.
          state.withLock { $0.isFull = true }
        } else {
          events.addListener(acceptor.socket.descriptor, again: true)
        }
        return
      }
    }
  }

  /// Tries again after ``acceptPending()`` has stopped at the maximum or at an error of `accept`.
  func acceptIfRoom() {
    if state.withLock({ $0.isFull }) { acceptPending() }
  }

  /// Counts a connection as arriving. Stops counting it if libmicrohttpd has refused it.
  private func expect(_ descriptor: Int32, _ isComing: Bool) {
    state.withLock { state in
      if isComing { state.arriving.insert(descriptor) } else { state.arriving.remove(descriptor) }
    }
  }
}
