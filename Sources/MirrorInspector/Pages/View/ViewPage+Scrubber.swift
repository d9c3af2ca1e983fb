internal import LiveViewMirror

/// Above the timeline: a chart of the whole log, a slider for the version, and the filter.
extension ViewPage {
  /// The maximum number of bars, except for one more if the log begins within a group.
  private static let bars = 80
  private static let height = 28

  func scrubber(_ window: LogWindow) -> HTML {
    """
    \(chart)\
    \(slider)\
    \(filter(window))
    """
  }

  /// The largest size of each group of consecutive versions, oldest first. A group is a link to its last version; the timeline has
  /// the same links, for readers who cannot see the chart.
  ///
  /// - Complexity: O(*entries*).
  private var chart: HTML? {
    let (first, count) = (view.firstVersion, view.version - view.firstVersion + 1)
    guard count > 1 else { return nil }
    // A new version changes only the last bar: the size of a group is a power of two, and groups begin at its multiples.
    var size = 1
    while count > size * Self.bars { size *= 2 }
    let groups = (first / size...view.version / size).map { group -> (last: Int, bytes: Int, isShown: Bool) in
      let versions = max(first, group * size)...min(view.version, (group + 1) * size - 1)
      let bytes = versions.lazy.compactMap { view.log.record(of: $0)?.bytes }.max() ?? 0
      return (versions.upperBound, bytes, versions.contains(version))
    }
    let scale = ByteScale(
      for: (max(1, first)...view.version).lazy.compactMap { view.log.record(of: $0)?.bytes })
    let shapes = groups.indices.map { position -> HTML in
      let group = groups[position]
      let height = scale.length(of: group.bytes, of: Self.height)
      return """
        <a tabindex="-1"\(group.isShown ? " class=\"shown\"" as HTML : nil) href="\(link(toDiff: group.last))">\
        <title>v\(group.last): \(HTML.bytes(group.bytes))</title>\
        <rect x="\(4 * position)" y="\(Self.height - height)" width="3" height="\(height)"/></a>
        """
    }
    return """
      <svg class="chart" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 \(4 * groups.count) \(Self.height)">\(shapes)</svg>

      """
  }

  private var slider: HTML? {
    guard view.version > view.firstVersion else { return nil }
    return """
      <form class="slider" action="\(Link("views", view.id))">\(query.hiddenFields(except: "version"))\
      <label class="unseen" for="slider">Version</label>\
      <input id="slider" type="range" name="version" min="\(view.firstVersion)" max="\(view.version)" value="\(version)">\
      <button>Show</button></form>

      """
  }

  private func filter(_ window: LogWindow) -> HTML {
    let matches: HTML? = window.matches.map { "\(HTML.count($0)) of " }
    let clear: HTML? = query.filter == nil ? nil : " <a href=\"\(link { $0.filter = nil })\">clear</a>"
    let quick = ["is:waste", "is:diagnostic", "is:rejected"].map { word -> HTML in
      let isOn = query.filter == word
      return """
        <a href="\(link("diffs") { ($0.filter, $0.after) = (isOn ? nil : word, nil) })"\
        \(isOn ? " aria-current=\"true\"" as HTML : nil)>\(word.split(separator: ":").last.map(String.init) ?? word)</a>
        """
    }
    return """
      <form class="filter" role="search" action="\(Link("views", view.id))#diffs">\(query.hiddenFields(except: "filter"))\
      <label class="unseen" for="filter">Filter the timeline</label>\
      <input id="filter" name="filter" type="search" value="\(query.filter ?? "")" \
      placeholder="event, node:15, slot:0.3, op:add, bytes:&gt;200" autocomplete="off" spellcheck="false" maxlength="500"></form>
      <p class="note">\(matches)\(HTML.count(view.log.keptEntries, "entry", "entries"))\(clear) \
      <span class="quick">\(quick.joined(by: " "))</span></p>

      """
  }
}
