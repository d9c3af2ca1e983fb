internal import LiveViewMirror

extension ViewLife {
  /// The shown status, with the reason of a refusal, for the index and for ``ViewPage``.
  var statusHTML: HTML {
    let isBad = status == .crashed
    let reason: HTML? = refusal.map { ": <bdi>\($0)</bdi>" }
    return """
      <span class="state\(isBad ? " bad" as HTML : status == .joined ? nil : " past")">\
      \(isBad ? "! " as HTML : nil)\(shownStatus)\(reason)</span>
      """
  }

  /// The status for readers. A joined view is shown as `resumed` if the mirror had missed frames
  /// and the feed therefore sent what the client holds.
  var shownStatus: String { status == .joined && isResumed ? "resumed" : status.rawValue }
}
