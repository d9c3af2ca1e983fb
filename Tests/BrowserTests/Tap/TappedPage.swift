import Foundation
import RecordingFixtures
import ScriptedPhoenix

/// A page of an app with the tap in its head, and a server that plays a recording to it.
final class TappedPage: Sendable {
  /// How the page uses its WebSocket.
  enum Socket: String, CaseIterable, Sendable {
    /// As phoenix.js: takes `window.WebSocket` at construction, and can be reached by
    /// `window.liveSocket`.
    case phoenix
    /// A WebSocket without a library.
    case bare
  }

  let server: PhoenixServer
  private let session: RecordedSession

  init(_ recording: Recording, tap: String?, socket: Socket, hasStaleFrames: Bool = false) throws {
    let session = try RecordedSession(recording)
    self.session = session
    let steps = ChannelFrame.text(session.steps.map { $0.sent.map(\.json) })
    let version = recording.name.prefix { $0 != "/" }
    let page = Self.page(tap: tap, socket: socket, version: String(version))
    server = try PhoenixServer(
      page: page, others: ["/steps.json": PhoenixServer.Page(steps, type: "application/json")]
    ) { _ in RecordedScript(session, hasStaleFrames: hasStaleFrames) }
  }

  private static func page(tap: String?, socket: Socket, version: String) -> String {
    """
    <!doctype html><html><head><title>App</title>
    \(tap.map { "<script src=\"\($0)\"></script>" } ?? "")
    <script>
    // Sends the recorded frames of each step, and waits for the server's frame that ends it.
    class Player {
      constructor() { this.transport = window.WebSocket; this.channels = []; this.joins = {}; this.dropped = 0 }
      async connect() {
        const steps = await (await fetch("/steps.json")).json()
        const socket = this.conn = new this.transport(location.origin.replace("http", "ws") + "/live/websocket?vsn=2.0.0")
        const frames = []
        let wake = () => {}
        socket.onmessage = event => {
          const frame = JSON.parse(event.data)
          if (frame[0] == "0") return this.dropped++
          frames.push(frame)
          wake()
        }
        await new Promise(done => socket.onopen = done)
        for (const [index, sent] of steps.entries()) {
          while (window.pauseAt === index) await new Promise(done => setTimeout(done, 20))
          for (const frame of sent) {
            if (frame[3] == "phx_join") {
              this.joins[frame[2]] = frame[0]
              this.channels.push({ topic: frame[2], push: () => {} })
            }
            socket.send(JSON.stringify(frame))
          }
          while (frames.length <= index) await new Promise(done => wake = done)
        }
        window.isDone = true
      }
      disconnect(then) { this.conn.close(); window.isDone = false; this.joins = {}; then?.() }
      encode(message, then) { then(JSON.stringify(message)) }
      decode(text, then) { then(JSON.parse(text)) }
    }
    const player = new Player()
    \(socket == .phoenix ? "window.liveSocket = { version: () => '\(version)', getSocket: () => player, connect: () => player.connect(), disconnect: then => player.disconnect(then) }" : "")
    player.connect()
    </script></head><body>app</body></html>
    """
  }
}
