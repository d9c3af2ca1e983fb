internal import LiveViewMirror
internal import MarkupDocument

extension ViewPage {
  /// The maximum number of changes of an entry: for the shown version, and for the others.
  private static let shownChanges = 200
  private static let otherChanges = 12

  var log: HTML {
    let window = LogWindow(of: view.log, after: query.after.flatMap { ChangeLog.Cursor($0) }, around: version)
    let older: HTML? = window.older.map { cursor in
      "<a rel=\"prev\" href=\"\(link("log") { $0.after = cursor.description })\">older entries ›</a>"
    }
    let newer: HTML? = window.newer.map { cursor in
      "<a rel=\"next\" href=\"\(link("log") { $0.after = cursor.description })\">‹ newer entries</a>"
    }
    let pages: HTML? =
      older == nil && newer == nil
      ? nil : "<nav class=\"pages\" aria-label=\"Pages of the log\">\(newer)\(older)</nav>\n"
    return """
      <section id="log" class="panel" tabindex="-1" aria-labelledby="log-title">
      <h2 id="log-title">Log</h2>
      \(note(on: window))\
      \(chart(of: window))\
      \(pages)\
      <ol class="log" reversed>
      \(window.entries.reversed().map { entry($0.entry, at: $0.cursor) })\
      </ol>
      \(pages)\
      </section>
      """
  }

  private func note(on window: LogWindow) -> HTML {
    if window.entries.isEmpty { return "<p class=\"note\">No entries here.</p>\n" }
    let evicted: HTML? =
      view.log.evicted == 0
      ? nil
      : "; the log begins with version \(view.firstVersion), \(HTML.count(view.log.evicted, "older entry", "older entries")) are no longer kept"
    guard view.log.diffs == 0 else {
      return """
        <p class="note">\(HTML.count(window.entries.count)) of \
        \(HTML.count(view.log.keptEntries, "entry", "entries")), newest first\(evicted)</p>

        """
    }
    return """
      <p class="note">No diff was applied yet. Send one:</p>
      <pre class="note"><code>\(HTML.curlPost(withToken: asksForToken)) \(address)\(Link("views", view.id, "diffs")) -d '{"0":"1"}'</code></pre>

      """
  }

  /// A chart of the sizes of the inputs, oldest first. The list below it contains the same links, for readers who cannot see the
  /// chart.
  private func chart(of window: LogWindow) -> HTML? {
    let sizes = window.entries.map { $0.entry.bytes }
    guard sizes.count > 1, let largest = sizes.max() else { return nil }
    let bars = window.entries.indices.map { position -> HTML in
      // Logarithmic: next to a mount, a linear bar of a diff would be invisible.
      let height =
        3 + 29 * (Int.bitWidth - sizes[position].leadingZeroBitCount) / (Int.bitWidth - largest.leadingZeroBitCount + 1)
      let bar: HTML = "<rect x=\"\(8 * position + 1)\" y=\"\(32 - height)\" width=\"6\" height=\"\(height)\"/>"
      guard case .applied(let record) = window.entries[position].entry else { return "<g class=\"bad\">\(bar)</g>" }
      let state: HTML? = record.version == version ? " class=\"shown\"" : nil
      return """
        <a tabindex="-1"\(state) href="\(link(toVersion: record.version))"><title>v\(record.version): \
        \(HTML.bytes(record.bytes))</title>\(bar)</a>
        """
    }
    return """
      <svg class="chart" aria-hidden="true" width="\(8 * bars.count)" height="32" viewBox="0 0 \(8 * bars.count) 32">\(bars)</svg>

      """
  }

  private func entry(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor) -> HTML {
    switch entry {
    case .applied(let record): applied(record)
    case .rejected(let rejection): rejected(rejection, at: cursor)
    }
  }

  // MARK: - Applied

  private func applied(_ record: ChangeRecord) -> HTML {
    let isShown = record.version == version
    let changes = record.changeSet.changes
    let limit = isShown ? Self.shownChanges : Self.otherChanges
    let lines = changes.indices.prefix(limit).map { position -> HTML in
      "<li>\(line(of: changes[position], in: record, at: position))</li>\n"
    }
    let rest: HTML? =
      changes.count <= limit
      ? nil
      : """
      <li class="gap"><a href="\(isShown ? json(of: record) : link(toVersion: record.version, "log"))">\
      … \(HTML.count(changes.count - limit, "more change"))</a></li>

      """
    return """
      <li id="v\(record.version)" class="entry\(isShown ? " shown" as HTML : nil)"\(isShown ? " aria-current=\"true\"" as HTML : nil)>
      <p class="summary"><a class="version" href="\(link(toVersion: record.version))">v\(record.version)</a> \
      \(HTML.time(record.at)) <span>\(HTML.bytes(record.bytes))</span> \
      \(record.cause == nil ? summary(of: record) : nil)\
      \(isShown ? " <span class=\"state\">shown</span>" as HTML : nil)</p>
      \(record.cause.map { cause(of: record, $0) })\
      \(changes.isEmpty ? "<p class=\"note\">Nothing changed, and no subscriber was notified.</p>\n" as HTML : nil)\
      <ul class="changes">
      \(lines)\(rest)\
      </ul>
      \(reach(of: record))\
      \(isShown ? isolation(of: record) : nil)\
      \(notices(of: record))\
      \(input(of: record, isShown: isShown))\
      </li>

      """
  }

  private func summary(of record: ChangeRecord) -> HTML {
    """
    <span>\(record.version == 0 ? "mount, " as HTML : nil)\(HTML.count(record.changeSet.changes.count, "change"))</span>
    """
  }

  /// The event that a diff answers, in the order of time: `click inc {"value":""} → 3 changes, 12 ms`.
  private func cause(of record: ChangeRecord, _ cause: UpdateCause) -> HTML {
    let value: HTML? =
      switch cause.value {
      case nil: " <span class=\"absent\">(its value is too long to be kept)</span>"
      case "{}": nil
      case let value?: " <code>\(Self.cut(value))</code>"
      }
    let latency: HTML? = cause.latency.map { ", \(Milliseconds.text($0)) ms" }
    return """
      <p class="cause"><b><bdi>\(cause.description)</bdi></b>\(value) → \
      \(HTML.count(record.changeSet.changes.count, "change"))\(latency)</p>

      """
  }

  private func json(of record: ChangeRecord) -> Link { Link("views", view.id, "log", "\(record.version)") }

  /// The notified nodes, their share, and the slots that were sent without effect.
  private func reach(of record: ChangeRecord) -> HTML {
    let named = record.notified.prefix(8).map { nodeLink($0) }.joined(by: " ")
    let more = record.notified.count - 8
    let nodes: HTML =
      record.notified.isEmpty
      ? "notified no node"
      : "notified \(HTML.count(record.notified.count, "node")) (\(named)\(more > 0 ? " and \(more) more" as HTML : nil))"
    let finished: HTML? = record.finished > 0 ? ", \(HTML.count(record.finished, "publisher")) finished" : nil
    let slots = record.waste.slots.prefix(8).map { "<code>\($0)</code>" as HTML }.joined(by: ", ")
    let waste: HTML? =
      record.waste.slots.isEmpty
      ? nil
      : """
      <p class="reach waste"><b class="mark" aria-hidden="true">!</b> \(HTML.bytes(record.waste.bytes)) changed nothing: \
      \(record.waste.count == 1 ? "slot" : "slots") \(slots)\(record.waste.slots.count > 8 ? ", …" as HTML : nil)</p>

      """
    if record.changeSet.isEmpty { return waste ?? "" }
    return """
      <p class="reach">\(nodes), reaching <strong>\(HTML.count(record.observers)) of \
      \(HTML.count(record.allObservers, "observer"))</strong>\(finished)</p>
      \(waste)
      """
  }

  private func notices(of record: ChangeRecord) -> [HTML] {
    var notices = record.diagnostics.prefix(20).map { diagnostic -> HTML in
      """
      <p class="notice bad"><b class="mark" aria-hidden="true">!</b> <code>\(diagnostic.code)</code> \
      \(diagnostic.node.map { "\(nodeLink($0)) " as HTML })<bdi>\(diagnostic.message)</bdi></p>

      """
    }
    if let title = record.title { notices.append("<p class=\"notice\">title \(HTML.quoted(title))</p>\n") }
    if let events = record.events {
      notices.append("<p class=\"notice\">events <code>\(Self.cut(events))</code></p>\n")
    }
    if let reply = record.reply { notices.append("<p class=\"notice\">reply <code>\(Self.cut(reply))</code></p>\n") }
    return notices
  }

  private static func cut(_ text: String) -> HTML {
    let length = text.unicodeScalars.count
    return "\(text.unicodeScalars.prefix(300))\(length > 300 ? "… \(HTML.count(length)) characters" as HTML : nil)"
  }

  private func input(of record: ChangeRecord, isShown: Bool) -> HTML {
    let pretty = PrettyJSON(record.input, limit: isShown ? 20_000 : 3_000)
    let rest: HTML? =
      pretty.isCut ? "\n<a href=\"\(json(of: record))\">… all \(HTML.bytes(record.bytes))</a>" : nil
    let times = record.timings
    let stages: [(HTML, Int)] = [
      ("decode", times.decode), ("merge", times.merge), ("render", times.render), ("parse", times.parse),
      ("morph", times.morph), ("trace", times.trace), ("publish", times.publish), ("views", times.views),
    ]
    return """
      <details class="input"><summary>\(record.version == 0 ? "Rendered" : "diff") and timings, \
      \(HTML.count(times.total)) µs\(Self.path(of: record))</summary>
      <dl class="timings">\(stages.map { "<div><dt>\($0.0)</dt><dd>\(HTML.count($0.1)) µs</dd></div>" as HTML })</dl>
      <pre><code>\(pretty.text)</code>\(rest)</pre>
      </details>

      """
  }

  /// The pipeline that computed a diff. A mount has only one.
  private static func path(of record: ChangeRecord) -> HTML? {
    if record.version == 0 { return nil }
    return switch record.path {
    case .scoped: " <span class=\"size\">scoped</span>"
    case .full(let reason): " <span class=\"size\">full: <bdi>\(reason)</bdi></span>"
    }
  }

  // MARK: - Rejected

  /// The name of a version, as a link if the log has it.
  func versionLink(_ version: Int, _ fragment: String? = nil) -> HTML {
    version < view.firstVersion
      ? "version \(version)" : "<a href=\"\(link(toVersion: version, fragment))\">version \(version)</a>"
  }

  private func rejected(_ rejection: Rejection, at cursor: ChangeLog.Cursor) -> HTML {
    let pointer: HTML? = rejection.error.pointer.map { "at <code>\($0.isEmpty ? "the top" : $0)</code>" }
    let offset: HTML? = rejection.error.offset.map { "at byte \(HTML.count($0))" }
    return """
      <li id="r\(cursor.description)" class="entry rejected">
      <p class="summary"><span class="version"><b class="mark" aria-hidden="true">!</b> rejected</span> \
      \(HTML.time(rejection.at)) <span>\(HTML.bytes(rejection.bytes))</span> \(pointer ?? offset)</p>
      <p class="reason"><bdi>\(rejection.error.reason)</bdi></p>
      <p class="note">Nothing was applied, and no subscriber was notified: the view stayed at \
      \(versionLink(rejection.version)). Send a diff that fits this \
      version, or mount the view again if diffs were lost: \
      <code>POST \(Link("views", view.id, "rendered"))</code></p>
      <details class="input"><summary>what was sent</summary>
      <pre><code>\(PrettyJSON(rejection.input, limit: 3_000).text)</code></pre>
      </details>
      </li>

      """
  }
}

extension ChangeLog.Entry {
  fileprivate var bytes: Int {
    switch self {
    case .applied(let record): record.bytes
    case .rejected(let rejection): rejection.bytes
    }
  }
}
