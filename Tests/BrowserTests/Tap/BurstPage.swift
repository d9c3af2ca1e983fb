import ScriptedPhoenix

/// A page of an app with the tap, whose LiveView gets many diffs. Diff `n` sets the text of its
/// paragraph to `n`.
final class BurstPage: Sendable {
  let server: PhoenixServer

  /// - Parameters:
  ///   - tap: the address of the tap.
  ///   - burst: the number of diffs that the server sends when the page asks for more.
  init(tap: String, burst: Int) throws {
    let page = """
      <!doctype html><html><head><title>App</title><script src="\(tap)"></script><script>
      window.received = 0
      const socket = new WebSocket(location.origin.replace("http", "ws") + "/live/websocket?vsn=2.0.0")
      socket.onmessage = () => window.received++
      window.more = () => socket.send("more")
      </script></head><body>app</body></html>
      """
    server = try PhoenixServer(page: page) { _ in BurstScript(burst: burst) }
  }
}

/// Sends the reply to a join when the socket opens, and a burst of diffs for each message of the
/// page.
private final class BurstScript: SocketScript {
  private struct State {
    var output: SocketOutput?
    var sent = 0
  }

  private let burst: Int
  private let state = Locked(State())

  init(burst: Int) { self.burst = burst }

  func opened(_ output: SocketOutput) {
    state.withLock { $0.output = output }
    output.send(
      #"["4","4","lv:burst","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#)
  }

  func received(_ text: String) {
    guard text == "more" else { return }
    let (output, first) = state.withLock { state in
      defer { state.sent += burst }
      return (state.output, state.sent + 1)
    }
    for number in first..<(first + burst) { output?.send(#"["4",null,"lv:burst","diff",{"0":"\#(number)"}]"#) }
  }
}
