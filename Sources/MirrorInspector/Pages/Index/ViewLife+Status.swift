internal import LiveViewMirror

extension ViewLife {
  /// The status as a word, with the reason of a refusal.
  var statusWord: HTML {
    let isBad = status == .crashed
    let reason: HTML? = refusal.map { ": <bdi>\($0)</bdi>" }
    return """
      <span class="state\(isBad ? " bad" as HTML : status == .joined ? nil : " past")">\
      \(isBad ? "! " as HTML : nil)\(status.rawValue)\(reason)</span>
      """
  }
}

/// The former place of ``ViewLife/statusWord``.
enum PageTree {
  static func status(_ life: ViewLife) -> HTML { life.statusWord }
}
