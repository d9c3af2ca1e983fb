internal import LiveViewMirror

/// Pushes through carriers that are connected to other mirrors with the same journal.
///
/// A question is the page and the data of the event, separated by a space. The answer is `sent` if the mirror has the carrier. The
/// answer of the LiveView is an entry of the journal, or a message, which every mirror receives.
struct SharedCarriers {
  let views: LiveViews
  let carriers: Carriers

  private static let topic = "push"
  private static let sent = "sent"
  private static let patience = Duration.seconds(1)

  func connect() {
    views.answer(Self.topic) { [carriers] question in
      let parts = question.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return "" }
      return carriers.forward(to: parts[0]) { Push.data(id: $0, rest: parts[1]) } ? Self.sent : ""
    }
    carriers.whenElsewhere { [weak views] push, page in
      views?.ask(Self.topic, "\(page) \(push.rest)", for: Self.patience).contains(Self.sent) == true
    }
  }
}
