internal import LiveViewClient
internal import MirrorSupport

/// Sends the frames of one page load to a mirror, in order. A batch is repeated until the mirror confirms it.
/// `Public/tap.js` does the same in a browser.
actor PageFeed {
  /// An event of the feed, for the owner of the page.
  enum Notice: Sendable {
    case unreachable(ClientError)
    case reachable
    case refused(String)
    /// The mirror has a gap in its frames: the views have to be joined again.
    case missing
  }

  nonisolated let page: String
  private let mirror: MirrorConnection
  private let isNative: Bool
  private let notice: @Sendable (Notice) async -> Void
  private var queue = FrameQueue()
  private var url: String
  private var title: String?
  private var isSending = false
  private var isReachable = true
  /// The number of frames that were dropped because the queue was full.
  private var droppedFrames = 0

  init(
    _ page: String, url: String, title: String?, isNative: Bool, to mirror: MirrorConnection,
    notice: @escaping @Sendable (Notice) async -> Void
  ) {
    (self.page, self.url, self.title, self.isNative) = (page, url, title, isNative)
    (self.mirror, self.notice) = (mirror, notice)
  }

  // MARK: - Input

  func append(_ frame: TrafficFrame) {
    var line = Array("{\"at\":\(frame.at),\"sent\":\(frame.isSent),\"frame\":".utf8)
    line += frame.bytes
    line.append(UInt8(ascii: "}"))
    queue.append(line)
    if !isSending {
      isSending = true
      Task { await sendAll() }
    }
  }

  func move(to url: String) { self.url = url }

  /// Opens the page in the mirror, and registers this program as its carrier.
  ///
  /// - Returns: the mirror's objection; `nil` if it has accepted the page.
  func announce() async throws(ClientError) -> String? {
    var json = JSONWriter()
    json.object { json in
      json.member("url", url)
      if let title { json.member("title", title) }
      json.member("user_agent", "liveview-mirror attach")
      json.member("carrier", true)
    }
    return mirror.objection(in: try await mirror.send("POST", "/pages/\(page)", Array(json.text.utf8)))
  }

  /// Waits until the mirror has confirmed all frames, for a time, or until the task is cancelled.
  ///
  /// - Parameter waitsForMirror: whether frames are sent again to a mirror that cannot be reached.
  /// - Returns: whether the mirror has confirmed them.
  func drain(atMost limit: Duration, waitsForMirror: Bool = true) async -> Bool {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while isSending, isReachable || waitsForMirror, !Task.isCancelled, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
    return !isSending
  }

  /// The number of frames that the mirror has confirmed.
  var confirmedFrames: Int { queue.first - queue.lost.frames - droppedFrames }

  /// Ends the page in the mirror. No other request about the page may follow, or the mirror would open it again.
  func end() async { _ = try? await mirror.send("DELETE", "/pages/\(page)") }

  // MARK: - Sending

  private var target: String {
    "/frames?page=\(page)&url=\(WebAddress.queryText(url))" + (isNative ? "&dialect=native" : "")
  }

  private func sendAll() async {
    var wait = Duration.milliseconds(250)
    while let batch = queue.batch() {
      do throws(ClientError) {
        let answer = try await mirror.send("POST", target + "&first=\(batch.first)", batch.body)
        if answer.status == 200 || [400, 413, 422].contains(answer.status) {
          if let objection = mirror.objection(in: answer) { await notice(.refused(objection)) }
          await didSend(batch, answer)
          wait = .milliseconds(250)
          continue
        }
        await fail(.status(url: mirror.address.origin + "/frames", answer.status))
      } catch { await fail(error) }
      try? await Task.sleep(for: wait * Double.random(in: 0.5...1.5))
      wait = min(wait * 2, .seconds(5))
    }
    isSending = false
  }

  private func fail(_ error: ClientError) async {
    guard isReachable else { return }
    isReachable = false
    await notice(.unreachable(error))
  }

  private func didSend(_ batch: FrameQueue.Batch, _ answer: HTTPAnswer) async {
    queue.confirm(batch)
    if !isReachable {
      isReachable = true
      await notice(.reachable)
      // A mirror that was restarted does not know the page.
      _ = try? await announce()
    }
    let lost = queue.takeLost()
    if lost.frames > 0 {
      droppedFrames += lost.frames
      let body = "{\"lost\":{\"frames\":\(lost.frames),\"bytes\":\(lost.bytes)}}"
      _ = try? await mirror.send("POST", "/pages/\(page)", Array(body.utf8))
    }
    if answer.status != 200 || FeedReport(answer.body).needsJoins { await notice(.missing) }
  }
}
