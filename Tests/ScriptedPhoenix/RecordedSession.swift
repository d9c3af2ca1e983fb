internal import Foundation
package import RecordingFixtures

/// The frames of a recording: what the client sent before each frame of the server.
package struct RecordedSession: Sendable {
  package struct Step: Sendable {
    package var sent: [ChannelFrame]
    package var frame: ChannelFrame
  }

  package var steps: [Step]

  package init(_ recording: Recording) throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: recording.url)) as? [String: Any]
    steps = (json?["steps"] as? [[String: Any]] ?? []).compactMap { step in
      guard let frame = ChannelFrame(step["frame"]) else { return nil }
      return Step(sent: (step["sent"] as? [Any] ?? []).compactMap { ChannelFrame($0) }, frame: frame)
    }
  }
}

/// Plays a recording: sends the frame of a step when the client has sent the frames before it. The
/// client may number its frames otherwise than the recording; the answers have the client's
/// numbers.
package final class RecordedScript: SocketScript {
  private struct State {
    var output: SocketOutput?
    var next = 0
    /// Frames of the client that belong to the next step.
    var received: [ChannelFrame] = []
    var all: [ChannelFrame] = []
    /// The client's number for each recorded `ref` of a topic.
    var refs: [String: String] = [:]
  }

  private let steps: [RecordedSession.Step]
  private let hasStaleFrames: Bool
  private let state = Locked(State())

  /// - Parameter hasStaleFrames: whether each frame follows one of an earlier join, which clients
  ///   drop.
  package init(_ session: RecordedSession, hasStaleFrames: Bool = false) {
    steps = session.steps
    self.hasStaleFrames = hasStaleFrames
  }

  /// The frames of the client, in order, without heartbeats.
  package var received: [ChannelFrame] { state.withLock { $0.all } }
  /// Whether all frames were sent.
  package var isAtEnd: Bool { state.withLock { $0.next == steps.count } }

  package func opened(_ output: SocketOutput) {
    state.withLock { $0.output = output }
    advance()
  }

  package func received(_ text: String) {
    guard let frame = ChannelFrame(text: text) else { return }
    if frame.topic == "phoenix" {
      let reply = ChannelFrame(
        joinRef: nil, ref: frame.ref, topic: "phoenix", event: "phx_reply",
        payload: ["status": "ok", "response": [String: Any]()])
      state.withLock { $0.output }?.send(reply.text)
      return
    }
    state.withLock { state in
      state.received.append(frame)
      state.all.append(frame)
    }
    advance()
  }

  /// Sends the frames of the steps whose sent frames have all been received.
  private func advance() {
    let (output, frames) = state.withLock { state -> (SocketOutput?, [ChannelFrame]) in
      var frames: [ChannelFrame] = []
      while state.next < steps.count, state.received.count >= steps[state.next].sent.count {
        let step = steps[state.next]
        for (recorded, actual) in zip(step.sent, state.received) {
          if let ref = recorded.ref { state.refs["\(recorded.topic) \(ref)"] = actual.ref ?? ref }
        }
        state.received.removeFirst(step.sent.count)
        state.next += 1
        var frame = step.frame
        frame.ref = frame.ref.map { state.refs["\(frame.topic) \($0)"] ?? $0 }
        frame.joinRef = frame.joinRef.map { state.refs["\(frame.topic) \($0)"] ?? $0 }
        frames.append(frame)
      }
      return (state.output, frames)
    }
    for frame in frames {
      if hasStaleFrames {
        let stale = ChannelFrame(
          joinRef: "0", ref: nil, topic: frame.topic, event: "diff", payload: ["0": "stale", "1": "stale"])
        output?.send(stale.text)
      }
      output?.send(frame.text)
    }
  }
}
