internal import LiveViewMirror

/// Pushes through carriers that are connected to other mirrors with the same journal.
///
/// A question is the page and the data of the event, separated by a space. The answer is `sent` if the mirror has the carrier. The
/// answer of the LiveView is an entry of the journal, or a message, which every mirror receives. If the carrier of a page connects to
/// a mirror, it sends the time and the page, separated by a space, and the others end earlier streams of the page.
struct SharedCarriers {
  let views: LiveViews
  let carriers: Carriers

  private static let topic = "push"
  private static let connected = "carrier"
  private static let sent = "sent"
  private static let patience = Duration.seconds(1)

  func connect() {
    views.answer(Self.topic) { [carriers] question in
      let parts = question.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return "" }
      return carriers.forward(to: parts[0]) { Push.data(id: $0, rest: parts[1]) } ? Self.sent : ""
    }
    views.answer(Self.connected) { [carriers] message in
      let parts = message.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2, let time = Int64(parts[0]) { carriers.end(parts[1], ifOpenedBefore: time) }
      return nil
    }
    carriers.whenConnected { [weak views] page, time in views?.tell(Self.connected, "\(time) \(page)") }
    carriers.whenElsewhere { [weak views] push, page in
      let answers = views?.ask(Self.topic, "\(page) \(push.rest)", for: Self.patience) { $0 == Self.sent }
      return answers?.contains(Self.sent) == true
    }
  }
}
