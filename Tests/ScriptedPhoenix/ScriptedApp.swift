internal import Foundation
package import NIOCore

/// An app with one LiveView, a counter, that a test can make fail: it drops sockets, refuses joins,
/// crashes, restarts, expires sessions and redirects.
package final class ScriptedApp: Sendable {
  /// What a test decides, and what the server has received.
  package struct State: @unchecked Sendable {
    /// The session of rendered pages. A join with another one is stale.
    package var session = "SESSION-1"
    /// The responses of the next joins, which are refused: `{"reason": …}` and so on, as JSON.
    package var refusals: [String] = []
    /// The number of the counter, which all sockets share.
    package var count = 0
    /// More content of the LiveView.
    package var content = ""
    /// Whether the next joins are not answered.
    package var ignoresJoins = false
    /// The responses to events, as JSON, by the event's name.
    package var responses: [String: String] = [:]
    /// A frame of the view that follows each successful join.
    package var afterJoin: (event: String, payload: String)?
    /// The uploads that the view allows, by their refs.
    package var uploads: [String: ScriptedUpload] = [:]
    package var version = "1.1.33"
    /// The frames of the client, heartbeats included.
    package internal(set) var received: [ChannelFrame] = []
    package internal(set) var requests: [PhoenixServer.Request] = []
    fileprivate var sockets: [Socket] = []
  }

  private let state = Locked(State())
  private let own = Locked<PhoenixServer?>(nil)
  package static let id = "phx-app"
  package static let topic = "lv:phx-app"

  /// - Parameters:
  ///   - pages: other pages; `nil` for the app's own.
  ///   - accepts: whether a socket is opened.
  package init(
    tls: (@Sendable () throws -> any ChannelHandler)? = nil,
    pages: @escaping @Sendable (PhoenixServer.Request) -> PhoenixServer.Page? = { _ in nil },
    accepts: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws {
    let server = try PhoenixServer(
      tls: tls,
      pages: { [self] request in
        state.withLock { $0.requests.append(request) }
        if let page = pages(request) { return page }
        // Sockets that are refused, and what browsers ask for.
        if request.target.hasPrefix("/live/") { return .init("forbidden", type: "text/plain", status: 403) }
        return .init(page)
      }, script: { [self] target in accepts(target) ? Socket(self) : nil })
    own.withLock { $0 = server }
  }

  package var server: PhoenixServer {
    get throws {
      guard let server = own.withLock({ $0 }) else { throw CancellationError() }
      return server
    }
  }

  package func change<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  /// The frames of the client, without heartbeats.
  package var received: [ChannelFrame] { state.withLock { $0.received.filter { $0.topic != "phoenix" } } }

  /// Whether a socket is open.
  package var isConnected: Bool { state.withLock { !$0.sockets.isEmpty } }

  package var joins: [ChannelFrame] { received.filter { $0.event == "phx_join" } }

  private var page: String {
    let (session, content) = state.withLock { ($0.session, Self.markup($0)) }
    return RecordedPage.html(id: Self.id, content: content, session: session)
  }

  private static func markup(_ state: State) -> String { "<p>\(state.count)</p>\(state.content)" }

  // MARK: - What happens by itself

  /// Sends a frame of the view's channel to all sockets that have joined.
  package func send(_ event: String, _ payload: String) {
    for socket in state.withLock({ $0.sockets }) { socket.send(event, payload) }
  }

  /// Sends a text as it is.
  package func sendRaw(_ text: String) { for socket in state.withLock({ $0.sockets }) { socket.output?.send(text) } }

  /// Increments the counter `count` times, in as many diffs.
  package func tick(_ count: Int) {
    for _ in 0..<count {
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      send("diff", "{\"0\":\"\(number)\"}")
    }
  }

  package func drop() { for socket in state.withLock({ $0.sockets }) { socket.output?.drop() } }

  package func close(code: Int) { for socket in state.withLock({ $0.sockets }) { socket.output?.close(code) } }

  // MARK: - A socket

  fileprivate final class Socket: SocketScript {
    private struct Connection {
      var output: SocketOutput?
      var joinRef: String?
    }

    private let app: ScriptedApp
    private let connection = Locked(Connection())

    init(_ app: ScriptedApp) { self.app = app }

    var output: SocketOutput? { connection.withLock { $0.output } }

    func opened(_ output: SocketOutput) {
      connection.withLock { $0.output = output }
      app.change { $0.sockets.append(self) }
    }

    func closed() { app.change { $0.sockets.removeAll { $0 === self } } }

    func send(_ event: String, _ payload: String) {
      let (output, ref) = connection.withLock { ($0.output, $0.joinRef) }
      if let ref { output?.send("[\"\(ref)\",null,\"\(ScriptedApp.topic)\",\"\(event)\",\(payload)]") }
    }

    func received(_ text: String) {
      guard let frame = ChannelFrame(text: text), let output else { return }
      app.change { $0.received.append(frame) }
      func reply(_ status: String, _ response: String) {
        let (joinRef, ref) = (frame.joinRef.map { "\"\($0)\"" } ?? "null", frame.ref ?? "")
        output.send(
          "[\(joinRef),\"\(ref)\",\"\(frame.topic)\",\"phx_reply\",{\"status\":\"\(status)\",\"response\":\(response)}]"
        )
      }
      switch frame.event {
      case "heartbeat": reply("ok", "{}")
      case "phx_join": join(frame, reply)
      case "phx_leave":
        output.send("[\"\(frame.joinRef ?? "")\",\"\(frame.joinRef ?? "")\",\"\(frame.topic)\",\"phx_close\",{}]")
        reply("ok", "{}")
      case "event": event(frame, reply)
      case "allow_upload": allowUpload(frame, reply)
      default: reply("ok", app.change { $0.responses[frame.event] } ?? "{}")
      }
    }

    private func join(_ frame: ChannelFrame, _ reply: (String, String) -> Void) {
      let session = (frame.payload as? [String: Any])?["session"] as? String
      let (refusal, isIgnored) = app.change { state -> (String?, Bool) in
        if state.ignoresJoins { return (nil, true) }
        if session != state.session { return ("{\"reason\":\"stale\"}", false) }
        return (state.refusals.isEmpty ? nil : state.refusals.removeFirst(), false)
      }
      if isIgnored { return }
      if let refusal { return reply("error", refusal) }
      connection.withLock { $0.joinRef = frame.joinRef }
      let (count, content, version) = app.change { ($0.count, $0.content, $0.version) }
      let statics = ChannelFrame.text(["<p>", "</p>\(content)"])
      reply("ok", "{\"rendered\":{\"0\":\"\(count)\",\"s\":\(statics)},\"liveview_version\":\"\(version)\"}")
      if let next = app.change({ $0.afterJoin }) { send(next.event, next.payload) }
    }

    /// The preflight of an upload. A view that has no such upload crashes, as LiveView's does.
    private func allowUpload(_ frame: ChannelFrame, _ reply: (String, String) -> Void) {
      let payload = frame.payload as? [String: Any]
      let ref = payload?["ref"] as? String ?? ""
      guard let upload = app.change({ $0.uploads[ref] }) else {
        output?.send("[\"\(frame.joinRef ?? "")\",\"\(frame.joinRef ?? "")\",\"\(frame.topic)\",\"phx_error\",{}]")
        return
      }
      reply("ok", upload.preflight(of: payload?["entries"] as? [[String: Any]] ?? [], ref: ref))
    }

    private func event(_ frame: ChannelFrame, _ reply: (String, String) -> Void) {
      let name = (frame.payload as? [String: Any])?["event"] as? String ?? ""
      if let response = app.change({ $0.responses[name] }) { return reply("ok", response) }
      switch name {
      case "inc":
        let count = app.change { state in
          state.count += 1
          return state.count
        }
        reply("ok", "{\"diff\":{\"0\":\"\(count)\"}}")
      case "crash":
        output?.send("[\"\(frame.joinRef ?? "")\",\"\(frame.joinRef ?? "")\",\"\(frame.topic)\",\"phx_error\",{}]")
      case "silence": break
      default: reply("ok", "{}")
      }
    }
  }
}
