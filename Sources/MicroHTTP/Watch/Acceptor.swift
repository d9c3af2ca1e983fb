internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Hands connections to the daemons: in turn, but not to one whose handler has not returned while another is free.
///
/// libmicrohttpd could accept by itself. But to let it stop doing so (`MHD_quiesce_daemon`) races with its threads and aborts the
/// process now and then (0.9.75, "Failed to remove listen FD from epoll set"), and at its limit it leaves clients waiting
/// without telling anybody. Accepted here, both are a matter of not accepting.
struct Acceptor: @unchecked Sendable {
  let socket: ListeningSocket
  /// One for each thread.
  let lanes: [Lane]

  /// - Parameter expect: told of the descriptor before the daemon is, and whether it was taken.
  /// - Returns: false when there was nobody to accept.
  func acceptOne(_ expect: (Int32, Bool) -> Void) -> Bool {
    socket.takeOne { connection, address, length in
      expect(connection, true)
      // Descriptors are given in turn, and so the lanes.
      let turn = lanes.indices.map { lanes[(Int(connection) + $0) % lanes.count] }
      guard let handle = (turn.first { !$0.isBusy } ?? turn.first)?.handle,
        MHD_add_connection(handle, connection, address, length) == .YES
      else { return expect(connection, false) }
    }
  }
}

extension Watch {
  func startAccepting(_ acceptor: Acceptor) {
    state.withLock { $0.acceptor = acceptor }
    events.addListener(acceptor.socket.descriptor, again: false)
    events.interrupt()
  }

  /// Accepts nobody from now on, but those who have been waiting: the system has told them that they are connected.
  func stopAccepting() {
    let acceptor = state.withLock { state in
      defer { state.acceptor = nil }
      return state.acceptor
    }
    guard let acceptor else { return }
    while acceptor.acceptOne(expect) {}
  }

  /// While there is room. Otherwise those who wait do so until a connection ends.
  func acceptPending() {
    while let acceptor = state.withLock({ $0.acceptor }) {
      let hasRoom = state.withLock { state in
        state.isFull = state.clients.count + state.arriving.count >= maximumConnections
        return !state.isFull
      }
      if !hasRoom { return }
      guard acceptor.acceptOne(expect) else {
        if errno == EMFILE || errno == ENFILE {
          // Until the next look: to try again at once would be to turn around.
          state.withLock { $0.isFull = true }
        } else {
          events.addListener(acceptor.socket.descriptor, again: true)
        }
        return
      }
    }
  }

  func acceptIfRoom() {
    if state.withLock({ $0.isFull }) { acceptPending() }
  }

  private func expect(_ descriptor: Int32, _ isComing: Bool) {
    state.withLock { state in
      if isComing { state.arriving.insert(descriptor) } else { state.arriving.remove(descriptor) }
    }
  }
}
