import Glibc

/// A well-behaved client that sends fifty requests a second.
final class Prober: @unchecked Sendable {
  private let port: UInt16
  /// A connection for requests of the scene itself.
  private let own: Client
  private let state = Shared(State())

  private struct State {
    var latencies = Latencies()
    var failed = ""
    var isStopping = false
    var hasStopped = false
  }

  init(port: UInt16) {
    self.port = port
    own = Client(port: port)
  }

  func ask(_ target: String, body: String? = nil) throws -> Answer {
    try body.map { try own.post(target, $0) } ?? own.get(target)
  }

  func start() {
    _ = try? own.get("/healthz")
    thread { [state, port] in
      let client = Client(port: port)
      var number = 0
      while !state.value.isStopping {
        let began = now()
        do {
          number += 1
          let answer =
            number % 2 == 0
            ? try client.get("/healthz") : try client.post("/views/probe/diffs", #"{"0":"probe \#(number)"}"#)
          state.change {
            $0.latencies.add(now() - began)
            if answer.status != 200 { $0.failed = "one got \(answer.status)" }
          }
        } catch { state.change { $0.failed = "one failed: \(error)" } }
        usleep(20_000)
      }
      state.change { $0.hasStopped = true }
    }
    _ = eventually(within: 5) { state.value.latencies.values.count > 1 }
  }

  func stop() -> (Latencies, failed: String) {
    state.change { $0.isStopping = true }
    _ = eventually(within: 60) { state.value.hasStopped }
    return (state.value.latencies, state.value.failed)
  }
}
