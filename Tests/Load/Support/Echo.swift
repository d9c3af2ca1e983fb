import Glibc

/// Measures fifty times per second how long a byte takes from one thread to another and back over
/// sockets. This is the minimum latency of a request while other programs use the same cores.
final class Echo: @unchecked Sendable {
  private let state = Shared(State())
  private var ends: [Int32] = [-1, -1]

  private struct State {
    var latencies = Latencies()
    var isStopping = false
    var stopped = 0
  }

  init() throws {
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw LoadFailure("no socket pair") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (asking, answering) = (ends[0], ends[1])
    thread { [state] in
      var byte: UInt8 = 0
      while recv(answering, &byte, 1, 0) == 1, Glibc.send(answering, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 {}
      state.change { $0.stopped += 1 }
    }
    thread { [state] in
      var due = now()
      var byte: UInt8 = 0
      while !state.value.isStopping {
        sleep(until: due)
        guard Glibc.send(asking, &byte, 1, Int32(MSG_NOSIGNAL)) == 1, recv(asking, &byte, 1, 0) == 1 else { break }
        state.change { $0.latencies.add(now() - due) }
        due += 20_000_000
      }
      state.change { $0.stopped += 1 }
    }
  }

  /// Stops the measurement and returns the latencies.
  func stop() -> Latencies {
    state.change { $0.isStopping = true }
    for end in ends { shutdown(end, Int32(SHUT_RDWR)) }
    _ = eventually(within: 10) { state.value.stopped == 2 }
    for end in ends { close(end) }
    return state.value.latencies
  }
}
