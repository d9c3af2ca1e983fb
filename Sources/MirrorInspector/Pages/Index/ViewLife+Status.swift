internal import LiveViewMirror

extension ViewLife {
  /// The status as a word, with the reason of a refusal.
  var statusWord: HTML {
    let isBad = status == .crashed
    let reason: HTML? = refusal.map { ": <bdi>\($0)</bdi>" }
    return """
      <span class="state\(isBad ? " bad" as HTML : status == .joined ? nil : " past")">\
      \(isBad ? "! " as HTML : nil)\(word)\(reason)</span>
      """
  }

  /// A joined view whose feed has sent what the client holds is `resumed`.
  var word: String { isSimplyJoined || status != .joined ? status.rawValue : "resumed" }

  /// Whether the view is joined, and the mirror has its frames from the join on.
  var isSimplyJoined: Bool { status == .joined && !isResumed }
}

/// The former place of ``ViewLife/statusWord``.
enum PageTree {
  static func status(_ life: ViewLife) -> HTML { life.statusWord }
}
