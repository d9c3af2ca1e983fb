internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument

/// The shown diff: its cause, its reach and its changes; then, as regions of their own, the diff
/// itself and its costs.
extension ViewPage {
  /// The maximum number of listed changes.
  private static let shownChanges = 200

  func diff() -> HTML {
    guard let record else {
      return "<p class=\"note\">The entry of version \(version) has been dropped from the log.</p>\n"
    }
    return """
      \(subject(of: record))\
      \(reach(of: record))\
      \(notices(of: record))\
      \(changes(of: record))\
      \(record.changeSet.changes.isEmpty ? nil : annotationHint)
      """
  }

  // MARK: - The first lines

  /// `v12 click inc {"value":""} → 3 changes, 12 ms after the event`.
  private func subject(of record: ChangeRecord) -> HTML {
    let hidden = query.showsBlanks ? 0 : record.changeSet.changes.count { $0.isSeldomOfInterest }
    let count: HTML = """
      \(HTML.count(record.changeSet.changes.count - hidden, "change"))\
      \(record.title == nil ? nil : " and the title" as HTML)\
      \(hidden > 0 ? " and \(HTML.count(hidden)) of white space and comments" as HTML : nil)
      """
    let words: HTML
    if let cause = record.cause {
      let value: HTML? =
        switch cause.value {
        case nil: " <span class=\"absent\">(its value is too long to be kept)</span>"
        case "{}": nil
        case let value?: " <code>\(Self.cut(value))</code>"
        }
      let latency: HTML? = cause.latency.map { ", \(Milliseconds.text($0)) ms after the event" }
      words = "<b><bdi>\(cause.description)</bdi></b>\(value) → \(count)\(latency)"
    } else if record.version == 0 {
      words = "<b>mount</b> → \(count)"
    } else {
      words = "<b>pushed by the server</b> → \(count)"
    }
    return """
      <h3 class="subject">v\(record.version) \(words)</h3>
      <p class="note">\(HTML.time(record.at, withDate: true))\(afterMount(record))\(afterEvent(record)), \(HTML.bytes(record.bytes)) \
      · <a href="\(json(of: record.version))">JSON</a>\
      \(record.version > 0 ? " · <a href=\"\(link("page") { ($0.show, $0.with) = (.compare, nil) })\">before and after</a>" as HTML : nil)</p>

      """
  }

  /// `, 2.7 s after the mount`.
  private func afterMount(_ record: ChangeRecord) -> HTML? {
    guard record.version > 0, let mount = view.log.record(of: 0) else { return nil }
    return ", \(HTML.duration(record.at &- mount.at)) after the mount"
  }

  /// `, 2 ms after click load`: the last event that was answered before a diff that answers none,
  /// if it was answered lately. A hint alone: such a diff may be the result of `assign_async` or
  /// `start_async`, or have nothing to do with the event.
  private func afterEvent(_ record: ChangeRecord) -> HTML? {
    guard record.cause == nil, record.version > 0 else { return nil }
    for version in (max(0, record.version - 20)..<record.version).reversed() {
      guard let earlier = view.log.record(of: version), record.at &- earlier.at <= 5_000 else { return nil }
      if let cause = earlier.cause {
        return ", \(HTML.duration(record.at &- earlier.at)) after the answer to <bdi>\(cause.description)</bdi>"
      }
    }
    return nil
  }

  /// `Notified 2 of 33 subscribers: <h2>, <ul>`, and the slots that were sent without effect.
  private func reach(of record: ChangeRecord) -> HTML {
    let slots = record.waste.slots.prefix(8).map { "<code>\(ChangeRecord.name(ofSlot: $0))</code>" as HTML }.joined(
      by: ", ")
    let waste: HTML? =
      record.waste.slots.isEmpty
      ? nil
      : """
      <p class="reach waste"><b class="mark" aria-hidden="true">!</b> \(HTML.bytes(record.waste.bytes)) sent without effect: \
      \(record.waste.count == 1 ? "slot" : "slots") \(slots)\(record.waste.slots.count > 8 ? ", …" as HTML : nil)</p>
      \(resentLists(of: record))
      """
    if record.changeSet.isEmpty {
      return "<p class=\"note\">Nothing changed, and no subscriber was notified.</p>\n\(waste)"
    }
    let named = record.notified.prefix(8).map { nodeLink($0, named: record.displayName(of: $0)) }.joined(by: ", ")
    let more = record.notified.count - 8
    let nodes: HTML? = record.notified.isEmpty ? nil : ": \(named)\(more > 0 ? " and \(more) more" as HTML : nil)"
    let ended: HTML? =
      record.finished > 0 ? "; the subscribers of \(HTML.count(record.finished, "removed node")) have ended" : nil
    return """
      <p class="reach">Notified <strong>\(HTML.count(record.observerCount)) of \
      \(HTML.count(record.allObserverCount, "subscriber"))</strong>\(nodes)\(ended)</p>
      \(waste)
      """
  }

  private func notices(of record: ChangeRecord) -> [HTML] {
    var notices = record.shiftedLists.lists.map(Self.notice)
    if record.shiftedLists.more > 0 {
      notices.append(
        "<p class=\"notice\">\(HTML.count(record.shiftedLists.more, "more list")) with entries that were sent again.</p>\n"
      )
    }
    notices += record.diagnostics.prefix(20).map { diagnostic -> HTML in
      """
      <p class="notice bad"><b class="mark" aria-hidden="true">?</b> <code>\(diagnostic.code)</code> \
      \(diagnostic.node.map { "\(nodeLink($0)) " as HTML })<bdi>\(diagnostic.message)</bdi></p>

      """
    }
    if let title = record.title {
      let before: HTML? = view.title(at: record.version - 1).map { "<del>\(HTML.quoted($0))</del> → " }
      notices.append("<p class=\"notice\">title \(before)<ins>\(HTML.quoted(title))</ins></p>\n")
    }
    if let events = record.events {
      notices.append("<p class=\"notice\">events <code>\(Self.cut(events))</code></p>\n")
    }
    if let reply = record.reply { notices.append("<p class=\"notice\">reply <code>\(Self.cut(reply))</code></p>\n") }
    return notices
  }

  /// A list whose entries were sent again because an entry before them was inserted or removed.
  private static func notice(of list: ShiftedLists.List) -> HTML {
    """
    <p class="notice waste"><b class="mark" aria-hidden="true">!</b> List in slot <code>\(list.name)</code> sent again: \
    \(HTML.count(list.entries)) of \(HTML.count(list.count, "entry")) \(list.entries == 1 ? "was" : "were") on the page \
    already at another position, <strong>\(HTML.count(list.bytes)) B</strong>. \(HTML.prose(list.remedy)) \
    <a href="/help/diagnostics#unkeyed-list">What does this mean?</a></p>

    """
  }

  private static func cut(_ text: String) -> HTML {
    let length = text.unicodeScalars.count
    return "\(text.unicodeScalars.prefix(300))\(length > 300 ? "… \(HTML.count(length)) characters" as HTML : nil)"
  }

  // MARK: - Changes

  /// The changes of elements and words, and below them those of white space and HEEx's comments, in
  /// a closed list.
  private func changes(of record: ChangeRecord) -> HTML? {
    let changes = record.changeSet.changes
    if changes.isEmpty { return nil }
    let seldom = query.showsBlanks ? [] : changes.indices.filter { changes[$0].isSeldomOfInterest }
    let quiet = Set(seldom)
    let main = changes.indices.filter { !quiet.contains($0) }
    let folded: HTML? =
      seldom.isEmpty
      ? nil
      : """
      <details class="folded"><summary>\(HTML.count(seldom.count, "change")) of white space and comments</summary>
      \(list(seldom, of: record))</details>

      """
    return "<h4>Changes</h4>\n\(main.isEmpty ? nil : list(main, of: record))\(folded)"
  }

  private func list(_ positions: [Int], of record: ChangeRecord) -> HTML {
    let shown = positions.prefix(Self.shownChanges)
    let sources = view.templateSources(of: shown.flatMap { record.slots[$0] })
    let lines = shown.map { position -> HTML in
      let change = record.changeSet.changes[position]
      return """
        <li data-nodes="\(change.node.number)">\(line(of: change, in: record, at: position, from: sources))</li>

        """
    }
    return """
      <ul class="changes">
      \(lines)\(gap(positions.count - lines.count, "more change", of: record))\
      </ul>

      """
  }

  /// The end of a list whose rest is in the JSON.
  func gap(_ more: Int, _ noun: String, of record: ChangeRecord) -> HTML? {
    if more == 0 { return nil }
    return "<li class=\"gap\"><a href=\"\(json(of: record.version))\">… \(HTML.count(more, noun))</a></li>\n"
  }

  // MARK: - The diff and its costs

  /// The diff in the terms of the protocol, and its JSON.
  func input(of record: ChangeRecord, _ explanation: DiffExplanation) -> HTML {
    let pretty = PrettyJSON(record.input, limit: 20_000)
    let rest: HTML? =
      pretty.isCut ? "\n<a href=\"\(json(of: record.version))\">… all \(HTML.bytes(record.bytes))</a>" : nil
    let name: HTML = record.version == 0 ? "Rendered" : "diff"
    return """
      <div class="explained">
      <details class="input" open><summary>The \(name), explained</summary>
      \(DiffTree(explanation: explanation, link: link(toNode:)).html)
      </details>
      <details class="input" open><summary>The \(name) as JSON</summary>
      <pre tabindex="0"><code>\(pretty.text)</code>\(rest)</pre>
      </details>
      </div>

      """
  }

  func timings(of record: ChangeRecord) -> HTML {
    let stages = record.timings.stages.map { stage -> HTML in
      "<div><dt>\(stage.name)</dt><dd>\(HTML.count(stage.microseconds)) µs</dd></div>"
    }
    return """
      <details class="input"><summary>Timings, \(HTML.count(record.timings.total)) µs\(Self.path(of: record))</summary>
      <dl class="timings">\(stages)</dl>
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
}

extension Change {
  /// A change of white space or of HEEx's comments only.
  var isSeldomOfInterest: Bool {
    switch self {
    case .text(_, _, let before, let after):
      NodeContent.text(before).isSeldomOfInterest && NodeContent.text(after).isSeldomOfInterest
    case .add(let subtree, _): subtree.nodes.count == 1 && subtree.nodes[0].content.isSeldomOfInterest
    case .remove(_, _, let name), .move(_, let name, _, _): name == .blank || name == .comment
    case .attributes: false
    }
  }
}
