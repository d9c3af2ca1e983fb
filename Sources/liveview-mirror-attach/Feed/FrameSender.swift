internal import LiveViewClient
internal import MirrorSupport

/// Sends the frames of one page load to a mirror, in order. A batch is sent again until the mirror
/// confirms or refuses it. `Public/tap/tap.js` does the same in a browser. ``Attachment`` makes one
/// for each page load.
actor FrameSender {
  /// An event of the feed, which the ``Attachment`` of the page reports or handles.
  enum Notice: Sendable {
    case unreachable(ClientError)
    case reachable
    /// The mirror has refused frames. If the frames were too long, the frames of repeated joins
    /// would be refused too.
    case refused(MirrorConnection.Objection, isTooLong: Bool)
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
  /// Whether ``sendAll()`` runs. Only one call runs at a time, so the batches are sent in order.
  private var isSending = false
  private var isReachable = true
  /// The start of the request that the mirror has not answered yet; `nil` if there is none.
  private var requestBegin: ContinuousClock.Instant?
  /// The number of frames that the mirror has refused.
  private(set) var refusedFrames = 0
  /// Whether the mirror has refused frames since the last ``willJoin()``, so that it may not have
  /// the page.
  private(set) var hasGap = false

  init(
    _ page: String, url: String, title: String?, isNative: Bool, to mirror: MirrorConnection,
    notice: @escaping @Sendable (Notice) async -> Void
  ) {
    (self.page, self.url, self.title, self.isNative) = (page, url, title, isNative)
    (self.mirror, self.notice) = (mirror, notice)
  }

  // MARK: - Input

  func append(_ frame: TrafficFrame) { append(frame.bytes, at: frame.at, isSent: frame.isSent) }

  /// Notifies the mirror that the connection of a view was closed. The server has sent no frame
  /// about that.
  func appendClose(of topic: String) {
    var json = JSONWriter()
    json.value(topic)
    append(Array("[null,null,\(json.text),\"phx_close\",{}]".utf8), at: WallClock.system.now(), isSent: false)
  }

  private func append(_ frame: [UInt8], at time: Int64, isSent: Bool) {
    queue.append(Array("{\"at\":\(time),\"sent\":\(isSent),\"frame\":".utf8) + frame + [UInt8(ascii: "}")])
    if !isSending {
      isSending = true
      Task { await sendAll() }
    }
  }

  func move(to url: String) { self.url = url }

  /// Resets ``hasGap``. Called before all views are joined, because the mirror then gets the whole
  /// page.
  func willJoin() { hasGap = false }

  /// Opens the page in the mirror, and registers this program as its carrier.
  ///
  /// - Returns: the mirror's objection; `nil` if it has accepted the page.
  func announce() async throws(ClientError) -> MirrorConnection.Objection? {
    let json = JSONWriter { json in
      json.member("url", url)
      if let title { json.member("title", title) }
      json.member("user_agent", "liveview-mirror attach")
      json.member("carrier", true)
    }
    return mirror.objection(in: try await send("/pages/\(page)", Array(json.text.utf8)), to: "the page")
  }

  /// Waits until the mirror has confirmed or refused all frames, the limit has passed, or the task
  /// is cancelled.
  ///
  /// - Parameters:
  ///   - limit: the time to wait.
  ///   - waitsForMirror: whether to wait for a mirror that cannot be reached, or has not answered a
  ///     request for a second.
  /// - Returns: whether the mirror has confirmed or refused all frames.
  func drain(atMost limit: Duration, waitsForMirror: Bool = true) async -> Bool {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while isSending, waitsForMirror || isAnswering, !Task.isCancelled, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
    return !isSending
  }

  private var isAnswering: Bool {
    isReachable && (requestBegin.map { $0.duration(to: .now) < .seconds(1) } ?? true)
  }

  /// The number of frames that the mirror has confirmed.
  var confirmedFrameCount: Int { queue.confirmed }

  /// Ends the page in the mirror. No other request about the page may follow, or the mirror would
  /// open it again.
  func end() async {
    await reportLost()
    _ = try? await mirror.send("DELETE", "/pages/\(page)")
  }

  // MARK: - Sending

  private var target: String {
    "/frames?page=\(page)&url=\(WebAddress.queryText(url))" + (isNative ? "&dialect=native" : "")
  }

  private func send(_ path: String, _ body: [UInt8]) async throws(ClientError) -> ClientResponse {
    requestBegin = .now
    defer { requestBegin = nil }
    return try await mirror.send("POST", path, body)
  }

  private func sendAll() async {
    var (wait, failures) = (Duration.milliseconds(250), 0)
    while let batch = queue.batch(after: failures) {
      failures += 1
      do throws(ClientError) {
        let answer = try await send(target + "&first=\(batch.first)", batch.body)
        if answer.status == 200 || [400, 413, 422].contains(answer.status) {
          await didSend(batch, answer)
          (wait, failures) = (.milliseconds(250), 0)
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

  private func didSend(_ batch: FrameQueue.Batch, _ answer: ClientResponse) async {
    let isTooLong = answer.status == 413
    let isRefused = answer.status != 200 && !(isTooLong && batch.count > 1)
    if isTooLong {
      queue.shorten(batch)
    } else if isRefused {
      queue.refuse(batch)
    } else {
      queue.confirm(batch)
    }
    if isRefused {
      refusedFrames += batch.count
      hasGap = true
      if let objection = mirror.objection(in: answer, to: "frames") {
        await notice(.refused(objection, isTooLong: isTooLong))
      }
    }
    if !isReachable {
      isReachable = true
      await notice(.reachable)
      // A mirror that was restarted does not know the page.
      _ = try? await announce()
    }
    await reportLost()
    if isRefused || answer.status == 200 && FeedReport(answer.body).needsJoins { await notice(.missing) }
  }

  /// Notifies the mirror of lost frames. If this fails, they are part of the next report.
  private func reportLost() async {
    let lost = queue.takeLost()
    guard lost.frames > 0 else { return }
    let body = "{\"lost\":{\"frames\":\(lost.frames),\"bytes\":\(lost.bytes)}}"
    let answer = try? await send("/pages/\(page)", Array(body.utf8))
    if answer.map({ $0.status < 300 }) != true { queue.restoreLost(lost) }
  }
}
