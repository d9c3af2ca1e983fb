internal import LiveViewMirror

/// Pushes through carriers that are connected to other mirrors with the same journal.
/// ``PushRoutes`` connects it.
///
/// A request to the other mirrors is the page and the data of the event, separated by a space. A
/// mirror that has the carrier of the page sends the event and responds with `sent`. Every mirror
/// receives the answer of the LiveView, as an entry of the journal or as a message. If the carrier
/// of a page connects to a mirror, that mirror sends the time and the page, separated by a space.
/// The other mirrors then end earlier streams of the page.
struct SharedCarriers {
  let views: LiveViews
  let carriers: Carriers

  private static let topic = "push"
  private static let connected = "carrier"
  private static let sent = "sent"
  private static let patience = Duration.seconds(1)

  func connect() {
    views.handlePeerRequests(Self.topic) { [carriers] request in
      let parts = request.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return "" }
      return carriers.forward(to: parts[0]) { Push.data(id: $0, rest: parts[1]) } ? Self.sent : ""
    }
    views.handlePeerRequests(Self.connected) { [carriers] message in
      let parts = message.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2, let time = Int64(parts[0]) { carriers.end(parts[1], ifOpenedBefore: time) }
      return nil
    }
    carriers.whenConnected { [weak views] page, time in views?.notifyPeers(Self.connected, "\(time) \(page)") }
    carriers.whenElsewhere { [weak views] push, page in
      let responses = views?.requestFromPeers(Self.topic, "\(page) \(push.rest)", within: Self.patience) {
        $0 == Self.sent
      }
      return responses?.contains(Self.sent) == true
    }
  }
}
