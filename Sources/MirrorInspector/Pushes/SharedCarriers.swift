internal import LiveViewMirror

/// Pushes through carriers that are connected to other mirrors with the same journal.
///
/// A question is the page and the data of the event, separated by a space. The answer is `sent` if the mirror has the carrier. The
/// answer of the LiveView is an entry of the journal, or a message, which every mirror receives. If the carrier of a page connects to
/// a mirror, the others end earlier streams of the page.
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
    views.answer(Self.connected) { [carriers] page in
      carriers.end(page)
      return nil
    }
    carriers.whenConnected { [weak views] page in views?.tell(Self.connected, page) }
    carriers.whenElsewhere { [weak views] push, page in
      let answers = views?.ask(Self.topic, "\(page) \(push.rest)", for: Self.patience) { $0 == Self.sent }
      return answers?.contains(Self.sent) == true
    }
  }
}
