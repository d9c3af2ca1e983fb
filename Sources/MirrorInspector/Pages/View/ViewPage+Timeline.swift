internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument
internal import MirrorSupport

/// The timeline: one line for each entry of the log, newest first.
extension ViewPage {
  func timeline(_ window: LogWindow) -> [PageRegion.Line] {
    let scale = ByteScale(for: window.entries.lazy.filter { !$0.isMount }.map(\.bytes))
    return window.entries.indices.reversed().map { position in
      let entry = window.entries[position]
      switch entry.outcome {
      case .applied(let record):
        // With a filter, the list may lack the entry that precedes this one in the log.
        let isBeside = position > 0 && query.filter == nil
        let before = isBeside ? window.entries[position - 1].at : view.log.record(of: record.version - 1)?.at
        return PageRegion.Line(key: "v\(record.version)", html: line(of: record, after: before, on: scale))
      case .rejected(let rejection):
        let before = view.log.record(of: rejection.version)?.at
        return PageRegion.Line(
          key: "r\(entry.cursor)", html: line(of: rejection, at: entry.cursor, after: before, on: scale))
      }
    }
  }

  private func line(of record: ChangeRecord, after before: Int64?, on scale: ByteScale) -> HTML {
    let isShown = record.version == version && rejection == nil
    let since: HTML = record.version == 0 ? "" : before.map { HTML.since($0, record.at) } ?? ""
    let classes = ["diff" as HTML, isShown ? "shown" : nil].compactMap { $0 }.joined(by: " ")
    return """
      <li id="v\(record.version)" class="\(classes)"><a href="\(link(toDiff: record.version))"\
      \(isShown ? " aria-current=\"true\"" as HTML : nil)><b class="version">v\(record.version)</b> \
      <span class="since" title="since the diff before">\(since)</span> <bdi class="cause"\(record.cause.map { " title=\"\($0.description)\"" as HTML })>\(cause(of: record))</bdi> \
      \(counts(of: record.changeSet))\(flags(of: record)) \(scale.bar(of: record.bytes))</a></li>

      """
  }

  /// The name of the event that caused a diff. The kind of the event is shown beside the name,
  /// unless it is a click.
  private func cause(of record: ChangeRecord) -> HTML {
    guard let cause = record.cause else { return record.version == 0 ? "<i>mount</i>" : "<i>server</i>" }
    let type: HTML? = cause.type.flatMap { $0 == "click" ? nil : " <i>\($0)</i>" }
    return "\(cause.event)\(type)"
  }

  /// The number of changes of each kind, such as `+1 ~3`. Changes of white space and of HEEx's
  /// comments are left out unless the page shows them.
  private func counts(of changes: ChangeSet) -> HTML {
    var counts: [ChangeMark: Int] = [:]
    for change in changes.changes where query.showsBlanks || !change.isSeldomOfInterest {
      counts[ChangeMark(change.op), default: 0] += 1
    }
    let kinds = ChangeMark.allCases.filter { counts[$0] != nil }
    let columns = kinds.map { "<b class=\"\($0.rawValue)\">\($0.sign)\(HTML.short(counts[$0] ?? 0))</b>" as HTML }
    let words = kinds.map { "\(HTML.count(counts[$0] ?? 0)) \($0.rawValue)" as HTML }
    let label = words.isEmpty ? "no changes" : words.joined(by: ", ")
    return
      "<span class=\"counts\" role=\"img\" aria-label=\"\(label)\" title=\"\(label)\">\(columns.joined(by: " "))</span>"
  }

  /// The marks of an entry that needs attention: the share of bytes that the page had already,
  /// diagnostics, and an error at which LiveView's client stops.
  private func flags(of record: ChangeRecord) -> HTML {
    let share = Formatted.wholePercent(record.wasteShare)
    let waste: HTML? =
      record.waste.count == 0
      ? nil
      : Self.flag(
        record.isWasteHeavy ? "\(share)" : "!",
        "\(Formatted.bytes(record.waste.bytes)) already on the page, \(share) of the diff",
        as: record.isWasteHeavy ? "heavy" : "light")
    let count = findings.count(in: record)
    let diagnostics = count == 0 ? nil : Self.flag("?", "\(Formatted.count(count, "diagnostic"))", as: "finding")
    let stop =
      record.diagnostics.contains { $0.code == "client-throws" }
      ? Self.flag("✕", "LiveView's client stops with an error", as: "bad") : nil
    return "<span class=\"flags\">\(stop)\(waste)\(diagnostics)</span>"
  }

  private static func flag(_ sign: HTML, _ words: String, as kind: HTML) -> HTML {
    "<b class=\"flag \(kind)\" role=\"img\" aria-label=\"\(words)\" title=\"\(words)\">\(sign)</b>"
  }

  // MARK: - Rejected

  private func line(of rejection: Rejection, at cursor: ChangeLog.Cursor, after before: Int64?, on scale: ByteScale)
    -> HTML
  {
    let since: HTML? = before.map { HTML.since($0, rejection.at) }
    let position = EventID.positionText(cursor, in: view.epoch)
    let isShown = query.rejected == position
    let target = link {
      ($0.rejected, $0.version, $0.tab) = (position, rejection.version, $0.node == nil ? nil : .diff)
    }
    return """
      <li id="r\(cursor.description)" class="diff rejected\(isShown ? " shown" as HTML : nil)"><a href="\(target)"\
      \(isShown ? " aria-current=\"true\"" as HTML : nil)><b class="version">\
      <span role="img" aria-label="rejected">✕</span></b> <span class="since">\(since)</span> <bdi class="cause">\(rejection.error.reason)</bdi> \
      <span class="flags">\(Self.flag("?", "1 diagnostic", as: "bad"))</span> \
      \(scale.bar(of: rejection.bytes))</a></li>

      """
  }

  /// The details of a rejected diff: why, where, and what to do.
  func explanation(of rejection: Rejection) -> HTML {
    let pointer = rejection.error.pointer.map { $0.isEmpty ? "at the top" : "<code>\($0)</code>" as HTML }
    let offset = rejection.error.offset.map { "byte \(HTML.count($0))" as HTML }
    let place: HTML? = (pointer ?? offset).map { "<p class=\"note\">Place in the input: \($0)</p>\n" }
    return """
      <h3 class="subject bad">This diff was rejected</h3>
      <p class="reason"><bdi>\(rejection.error.reason)</bdi></p>
      \(place)\
      <p>Nothing was applied, and no subscriber was notified: the view stayed at \
      \(versionLink(rejection.version)). If diffs were lost before it, reload the page of the app, or mount the view again with \
      <code>POST \(Link("views", view.id, "rendered"))</code>. \
      \(HTML.meaning(of: "rejected-diff"))</p>
      <p class="note">Received at \(HTML.time(rejection.at, withDate: true)):</p>
      <pre tabindex="0"><code>\(PrettyJSON(rejection.input, limit: 3_000).text)</code></pre>

      """
  }

  // MARK: - The end of the list

  func foot(of window: LogWindow) -> HTML {
    func target(_ cursor: ChangeLog.Cursor) -> Link {
      link("diffs") { $0.after = EventID.positionText(cursor, in: view.epoch) }
    }
    let older: HTML? = window.older.map { "<a rel=\"prev\" href=\"\(target($0))\">older entries ›</a>" }
    let newer: HTML? = window.newer.map { "<a rel=\"next\" href=\"\(target($0))\">‹ newer entries</a>" }
    let pages: HTML? =
      older == nil && newer == nil
      ? nil : "<nav class=\"pages\" aria-label=\"Pages of the timeline\">\(newer)\(older)</nav>\n"
    return "\(pages)\(note(on: window))"
  }

  private func note(on window: LogWindow) -> HTML {
    if window.matches == 0 { return "" }
    let evicted: HTML? =
      view.log.evicted == 0
      ? nil
      : """
      <p class="note">\(HTML.count(view.log.evicted, "older entry")) \(view.log.evicted == 1 ? "is" : "are") no longer stored: the log begins with \
      version \(view.firstVersion).</p>

      """
    guard view.log.diffCount == 0 else { return evicted ?? "" }
    return """
      <p class="note">No diff was applied yet. Send one:</p>
      <pre class="note" tabindex="0"><code>\(HTML.curlPost(withToken: asksForToken)) \(address)\(Link("views", view.id, "diffs")) -d '{"0":"1"}'</code></pre>

      """
  }
}

extension ChangeLog.Entry {
  /// Whether the entry is the mount of the epoch.
  var isMount: Bool { record?.version == 0 }
}
