internal import LiveViewClient

/// An event that the mirror asks the carrier of a page to send: `{"id", "view", "topic", "event", "payload"}`.
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
      // Not a frame: the client leaves the main view and joins it at the new address.
      try await page.navigate(to: to)
    } else {
      _ = try await page.send(event, .json(payload.text), to: topic)
    }
  }
}
