internal import LiveViewMirror

extension LiveViews.RejectedFeed {
  /// The input as a sentence, for the list of views.
  var notice: HTML {
    let view: HTML? = view.map { " of <code>\($0)</code>" }
    return """
      <p class="note rejected-feed"><strong class="bad">! All frames rejected</strong> \(HTML.time(at, withDate: true)): \
      \(HTML.count(frames, "frame")), \(HTML.count(rejected)) rejected. The first one\(view): <bdi>\(reason)</bdi></p>

      """
  }
}
