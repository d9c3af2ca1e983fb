internal import LiveViewMirror

/// The epochs of the view, in the header: which one is shown, and links to the others. The texts
/// for readers call an epoch a load of the page.
extension ViewPage {
  /// `nil` if the view has only one readable epoch.
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
      <a class="current newest" href="\(link(toEpoch: view.currentEpoch))">newest: load \(view.currentEpoch.epoch)</a>

      """
    return """
      <nav class="versions epochs" aria-label="Loads of the page">
      \(step("‹", "Earlier load", to: earlier.map(link(toEpoch:))))\
      <details class="menu"><summary>\(Self.load(view.epoch))</summary>
      <ol class="epochs" reversed>
      \(epochs.map(line))\
      </ol></details>\
      \(step("›", "Later load", to: later.map(link(toEpoch:))))
      \(current)\
      </nav>

      """
  }

  private func line(_ epoch: EpochSummary) -> HTML {
    let current: HTML? = epoch.epoch == view.epoch ? " aria-current=\"true\"" : nil
    let end: HTML = epoch.endedAt.map { "to \(HTML.time($0))" } ?? "current"
    return """
      <li><a href="\(link(toEpoch: epoch))"\(current)>\(Self.load(epoch.epoch))</a> \
      \(HTML.time(epoch.mountedAt)) \(end), \(HTML.count(epoch.diffs, "diff"))</li>

      """
  }

  private static let ordinals: [HTML] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
  ]

  /// `second load`. Each mount of the view counts as a load.
  static func load(_ epoch: Int) -> HTML {
    ordinals.indices.contains(epoch - 1) ? "\(ordinals[epoch - 1]) load" : "load \(epoch)"
  }
}
