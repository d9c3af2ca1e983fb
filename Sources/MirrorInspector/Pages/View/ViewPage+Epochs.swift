internal import LiveViewMirror

/// The epochs of the view, in the header: which one is shown, and links to the others.
extension ViewPage {
  /// `nil` for a view with only one readable epoch that is the current one.
  var epochs: HTML? {
    let epochs = view.epochs
    guard epochs.count > 1 else { return nil }
    let place = epochs.firstIndex { $0.epoch == view.epoch } ?? 0
    // Newest first.
    let earlier = place + 1 < epochs.count ? epochs[place + 1] : nil
    let later = place > 0 ? epochs[place - 1] : nil
    let current: HTML? =
      view.isCurrent
      ? nil
      : """
      <span class="state past">viewing an earlier epoch</span> \
      <a class="\(version == view.version ? "current newest" : "current")" href="\(link(toEpoch: view.currentEpoch))">current: epoch \(view.currentEpoch.epoch)</a>

      """
    return """
      <nav class="versions epochs" aria-label="Epochs">
      \(step("‹", "Earlier epoch", to: earlier.map(link(toEpoch:))))\
      <details class="menu"><summary>epoch \(view.epoch) of \(view.currentEpoch.epoch)</summary>
      <ol class="epochs" reversed>
      \(epochs.map(line))\
      </ol></details>\
      \(step("›", "Later epoch", to: later.map(link(toEpoch:))))
      \(current)\
      </nav>

      """
  }

  private func line(_ epoch: EpochSummary) -> HTML {
    let current: HTML? = epoch.epoch == view.epoch ? " aria-current=\"true\"" : nil
    let end: HTML = epoch.endedAt.map { "to \(HTML.time($0))" } ?? "current"
    return """
      <li><a href="\(link(toEpoch: epoch))"\(current)>epoch \(epoch.epoch)</a> \
      \(HTML.time(epoch.mountedAt)) \(end), \(HTML.count(epoch.diffs, "diff"))</li>

      """
  }
}
