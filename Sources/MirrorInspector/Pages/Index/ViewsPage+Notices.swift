internal import LiveViewMirror

extension LiveViews.RejectedFeed {
  /// A notice that all frames of an input were rejected. ``ViewsPage`` shows it above the list of
  /// views.
  ///
  /// - Parameter now: in milliseconds since 1970.
  func notice(now: Int64) -> HTML {
    let view: HTML? = view.map { " of <code>\($0)</code>" }
    let count: HTML =
      rejected == frames
      ? "\(HTML.count(frames, "frame"))" : "\(HTML.count(rejected)) of \(HTML.count(frames, "frame"))"
    return """
      <section class="rejected-feed" id="rejected-feed" aria-label="Rejected input">
      <p><strong class="bad"><span aria-hidden="true">✕ </span>All frames rejected</strong> \(HTML.ago(at, now: now)): \
      \(count) of one input. The first one\(view): <bdi>\(reason)</bdi></p>
      </section>

      """
  }
}

extension RefusedOrigins.Refusal {
  /// A notice that the tap of a page was refused. ``ViewsPage`` shows it above the list of views.
  ///
  /// - Parameter now: in milliseconds since 1970.
  func notice(now: Int64) -> HTML {
    """
    <section class="rejected-feed" id="refused-\(origin)" aria-label="Refused page">
    <p><strong class="bad"><span aria-hidden="true">✕ </span>A page of <bdi>\(origin)</bdi> was refused</strong> \
    \(HTML.ago(at, now: now)); start the mirror with <code>--allow-origin \(origin)</code></p>
    </section>

    """
  }
}

extension ViewsPage {
  /// The notice that the page shows as long as the journal accepts no changes.
  static func notice(ofJournal problem: String) -> HTML {
    """
    <section class="journal-problem" role="alert" aria-label="The journal">
    <p><strong class="bad"><span aria-hidden="true">✕ </span>No diffs are accepted</strong>: \(problem). Until the journal can be written, \
    a diff is answered with the status 503; send it again then.</p>
    </section>

    """
  }
}
