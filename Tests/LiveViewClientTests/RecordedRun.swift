import Foundation
import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import ScriptedPhoenix
import Testing

@testable import LiveViewClient

/// A client on a server that plays a recording. Frames that a person caused are pushed through the
/// library; all others must come from the client by itself.
struct RecordedRun {
  /// The frames that the server received.
  var sent: [ChannelFrame] = []
  /// The markup of the client's views at the end, by topic.
  var markup: [String: String] = [:]
  var rejected: [String] = []
  var ended: ClientError?

  init(_ recording: Recording, options: ClientOptions = ClientOptions()) async throws {
    let session = try RecordedSession(recording)
    let page = RecordedPage(recording, session)
    let script = RecordedScript(session)
    let server = try PhoenixServer(
      pages: { $0.target.hasPrefix(page.target) ? .init(page.html) : nil }, script: { _ in script })
    defer { server.stop() }
    var options = options
    options.isNative = recording.isNative
    let client = try await LiveViewClient(options: options).open(server.address + page.target)
    let watch = Watch(client)
    let reading = Task { await watch.run() }
    var (received, all) = (0, 0)
    for step in session.steps {
      for frame in step.sent {
        if Self.isOfPerson(frame) {
          try await watch.wait { [received] in $0.frames >= received }
          let payload = ChannelFrame.text(frame.payload).replacing(page.origin, with: server.address)
          Task { try await client.send(frame.event, .json(payload), to: frame.topic) }
        }
        all += 1
        try await Self.until { script.received.count >= all }
      }
      received += 1
    }
    try await watch.wait { [received] in $0.frames >= received }
    sent = script.received
    for topic in await client.topics { markup[topic] = await client.markup(of: topic) }
    await client.close()
    await reading.value
    (rejected, ended) = await (watch.rejected, watch.ended)
    // The recording's server has another port.
    sent = sent.map { frame in
      ChannelFrame(text: frame.text.replacing(server.address, with: page.origin)) ?? frame
    }
  }

  /// Whether a person caused the frame: it is not part of the client's own protocol.
  static func isOfPerson(_ frame: ChannelFrame) -> Bool { ["event", "live_patch"].contains(frame.event) }

  struct TimedOut: Error {}

  static func until(_ condition: () -> Bool) async throws {
    for _ in 0..<6_000 {
      if condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw TimedOut()
  }
}

/// Reads the events of a page.
actor Watch {
  private let page: LivePage
  private(set) var events: [PageEvent] = []
  /// The number of frames that were received.
  private(set) var frames = 0
  private(set) var rejected: [String] = []
  private(set) var ended: ClientError?

  init(_ page: LivePage) { self.page = page }

  func run() async {
    for await event in page.events { note(event) }
  }

  private func note(_ event: PageEvent) {
    events.append(event)
    switch event {
    case .frame(let frame): if !frame.isSent { frames += 1 }
    case .rejected(_, let error): rejected.append(error.description)
    case .ended(let error): ended = error
    default: break
    }
  }

  /// The lost connections, as text.
  var disconnections: [String] { events.compactMap { if case .disconnected = $0 { "\($0)" } else { nil } } }

  /// Waits until something has happened, at most 30 seconds.
  func wait(_ condition: @Sendable (isolated Watch) -> Bool) async throws {
    for _ in 0..<6_000 {
      if condition(self) { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw RecordedRun.TimedOut()
  }
}

extension Watch {
  /// Watches a page during a part of a test, and closes it.
  static func during(_ page: LivePage, _ body: (LivePage, Watch) async throws -> Void) async {
    let watch = Watch(page)
    let reading = Task { await watch.run() }
    do { try await body(page, watch) } catch {
      Issue.record("\(error); events: \(await watch.events.map { "\($0)".prefix(200) })")
    }
    await page.close()
    await reading.value
  }
}
