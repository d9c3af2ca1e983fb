internal import LiveViewMirror

/// Above the timeline: a chart of the whole log, a slider for the version, and the filter.
extension ViewPage {
  /// The maximum number of bars, except for one more if the log begins within a group.
  private static let bars = 80
  private static let height = 28

  func scrubber(_ window: LogWindow) -> [PageRegion] {
    let groups = view.version > view.firstVersion ? groups : []
    return [
      PageRegion("chart", chart(groups)), PageRegion("place", place(in: groups)), PageRegion("position", slider ?? ""),
      PageRegion("filters", filter(window)),
    ]
  }

  /// Consecutive versions that share a bar.
  private struct Group {
    let versions: ClosedRange<Int>
    /// The version with the largest diff; of several, the first.
    var largest: Int
    var bytes = 0
  }

  /// The groups, oldest first. The size of a group is a power of two, and groups begin at multiples
  /// of it. So a new version extends the last group or begins a new one, unless the size doubles.
  ///
  /// - Complexity: O(*entries*).
  private var groups: [Group] {
    let (first, last) = (view.firstVersion, view.version)
    var size = 1
    while last - first + 1 > size * Self.bars { size *= 2 }
    var groups = (first / size...last / size).map { number in
      let versions = max(first, number * size)...min(last, (number + 1) * size - 1)
      return Group(versions: versions, largest: versions.lowerBound)
    }
    for (version, bytes) in view.log.sizes(of: first...last) {
      let position = version / size - first / size
      if bytes > groups[position].bytes { (groups[position].largest, groups[position].bytes) = (version, bytes) }
    }
    return groups
  }

  /// A bar for the largest diff of each group, on a linear scale, as a link to this diff. The
  /// timeline has the same links, for readers who cannot see the chart.
  private func chart(_ groups: [Group]) -> HTML {
    // Next to a mount, the diffs would be invisible, so the bar of the mount may be cut off.
    let most = max(1, groups.lazy.filter { $0.largest > 0 }.map(\.bytes).max() ?? 1)
    let shapes = groups.indices.map { position -> HTML in
      let group = groups[position]
      let height = min(Self.height, max(1, (Self.height * group.bytes + most / 2) / most))
      let range: HTML? = group.versions.count > 1 ? ", the largest since v\(group.versions.lowerBound)" : nil
      let isCut = group.bytes > most
      let cut: HTML? = isCut ? ", cut off: larger than the largest diff" : nil
      let gap: HTML? = isCut ? "<rect class=\"gap\" x=\"\(4 * position)\" y=\"6\" width=\"3\" height=\"3\"/>" : nil
      return """
        <a tabindex="-1" href="\(link(toDiff: group.largest))"><title>v\(group.largest): \(HTML.bytes(group.bytes))\(range)\(cut)\
        </title><rect x="\(4 * position)" y="\(Self.height - height)" width="3" height="\(height)"/>\(gap)</a>
        """
    }
    return "\(Self.drawing("chart", of: groups, shapes))\(axis(of: groups))"
  }

  /// The maximum number of times below the chart.
  private static let ticks = 3

  /// The times below the chart. The bars are divided into up to ``ticks`` parts, and each time is
  /// that of the first bar of a part. All parts count as equally wide, so the times need no
  /// positions, and only a new bar changes the axis.
  private func axis(of groups: [Group]) -> HTML? {
    let count = min(Self.ticks, groups.count)
    let times = (0..<count).map { tick -> HTML in
      let version = groups[groups.count * tick / count].versions.lowerBound
      return "<span>\(view.log.record(of: version).map { HTML.time($0.at) })</span>"
    }
    return times.isEmpty ? nil : "<p class=\"axis\">\(times)</p>\n"
  }

  /// Marks the bar of the shown version.
  private func place(in groups: [Group]) -> HTML {
    guard let position = groups.firstIndex(where: { $0.versions.contains(version) }) else { return "" }
    return Self.drawing("place", of: groups, ["<rect x=\"\(4 * position)\" width=\"3\" height=\"\(Self.height)\"/>"])
  }

  private static func drawing(_ name: HTML, of groups: [Group], _ shapes: [HTML]) -> HTML {
    if groups.isEmpty { return "" }
    return """
      <svg class="\(name)" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 \(4 * groups.count) \(height)">\(shapes)</svg>

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
      <p class="note">\(matches)\(HTML.count(view.log.keptEntryCount, "entry"))\(clear) \
      <span class="quick">\(quick.joined(by: " "))</span></p>
      \(noMatches(window))
      """
  }

  /// Why the filtered list below is empty, with the words that a filter can have.
  private func noMatches(_ window: LogWindow) -> HTML? {
    guard window.matches == 0 else { return nil }
    let problems = window.problems.map { "<p class=\"note bad\">\(HTML.prose($0))</p>\n" as HTML }
    let reason: HTML = window.problems.isEmpty ? "No entry matches the filter." : "The filter cannot be read."
    return """
      <div role="status">
      <p class="note">\(reason) <a href="\(link { $0.filter = nil })">Show all</a></p>
      \(problems)\
      </div>
      <dl class="filters">\(Self.filters)</dl>

      """
  }
}
