internal import LiveViewClient

/// An event that the mirror asks the carrier of a page to send: `{"id", "view", "topic", "event",
/// "payload"}`. ``Attachment`` reads it from the event stream `/pages/{page}/pushes`.
struct CarrierPush: Sendable {
  let topic: String
  let event: String
  let payload: JSONSlice

  /// - Returns: `nil` if the text is not such an event.
  init?(_ text: String) {
    let json = JSONSlice(Array(text.utf8))
    guard let topic = json["topic"]?.string, let event = json["event"]?.string, let payload = json["payload"] else {
      return nil
    }
    (self.topic, self.event, self.payload) = (topic, event, payload)
  }

  /// Sends the event to the LiveView. The answer reaches the mirror as a frame.
  func carryOut(in page: LivePage) async throws(ClientError) {
    if event == "live_redirect", let to = payload["to"]?.string {
      // A live redirect is not sent as a frame: the client leaves the main view and joins it at the
      // new address.
      try await page.navigate(to: to)
    } else {
      _ = try await page.send(event, .json(payload.text), to: topic)
    }
  }
}

/// The mirror's answer to a batch of frames. ``FrameSender`` reads it.
struct FeedReport: Sendable {
  /// Whether the mirror has a gap in its frames, or does not know a view, so that all views have to
  /// be joined again.
  let needsJoins: Bool

  init(_ body: [UInt8]) {
    let report = JSONSlice(body)
    let rejected = report["rejected"]?.elements ?? []
    needsJoins =
      (report["missing_frames"]?.integer ?? 0) > 0
      || rejected.contains { [404, 410].contains($0["problem"]?["status"]?.integer) }
  }

  /// The sentence that describes an RFC 9457 problem; `nil` if the body is not a problem.
  static func detail(of body: [UInt8]) -> String? { JSONSlice(body)["detail"]?.string }
}
