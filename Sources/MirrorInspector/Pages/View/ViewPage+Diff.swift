internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// The tab *Diff*: what the shown diff did, in one sentence and two pictures, how many subscribers
/// it notified, and its changes. The diff itself and its costs follow as separate regions.
extension ViewPage {
  /// The maximum number of listed changes.
  private static let shownChanges = 200

  /// The first lines of the details of a diff.
  func firstLines(of record: ChangeRecord) -> HTML { "\(headline.map(sentence))\(circumstances(of: record))" }

  func diff() -> HTML {
    if let rejection { return explanation(of: rejection) }
    guard let record else {
      return "<p class=\"note\">Version \(version) is no longer stored.</p>\n"
    }
    return """
      \(reach(of: record))\
      \(notices(of: record))\
      \(changes(of: record))\
      \(record.changeSet.changes.isEmpty ? nil : annotationHint)
      """
  }

  // MARK: - The first lines

  /// `Clicking **reverse** moved 2 of 3 todos`.
  private func sentence(_ headline: Headline) -> HTML {
    let runs = headline.runs.map { run -> HTML in
      switch run {
      case .words(let words): "\(words)"
      case .name(let name):
        headline.actedNode.map { node in
          "<b><a class=\"node\" data-node=\"\(node.number)\" href=\"\(link(toNode: node))\"><bdi>\(name)</bdi></a></b>"
            as HTML
        } ?? "<b><bdi>\(name)</bdi></b>"
      case .quote(let text): "<bdi>\(HTML.quoted(text))</bdi>"
      }
    }
    return "<h3 class=\"subject\">\(runs)</h3>\n"
  }

  /// `v12 · click inc {"by":1} · 70 B in 9 ms · 08:15:03.120Z, 2.7 s after the mount · JSON`.
  private func circumstances(of record: ChangeRecord) -> HTML {
    let value: HTML? =
      switch record.cause.map(\.value) {
      // A click on an element without a value sends one of these, so they are not shown.
      case nil, "{}", #"{"value":""}"#: nil
      case .some(nil): " <span class=\"absent\">(its value is too long to be kept)</span>"
      case let value??: " <code>\(Self.cut(value))</code>"
      }
    let cause: HTML =
      record.cause.map { "<bdi class=\"cause\">\($0.description)</bdi>\(value)" }
      ?? (record.version == 0 ? "mount" : "pushed by the server")
    let latency: HTML? = record.cause?.latency.map { " in \(Milliseconds.text($0)) ms" }
    return """
      <p class="note circumstances"><b class="version">v\(record.version)</b> · \(cause) · \(HTML.bytes(record.bytes))\(latency) · \
      \(HTML.time(record.at))\(afterMount(record))\(afterEvent(record)) · <a href="\(json(of: record.version))">JSON</a></p>

      """
  }

  /// `, 2.7 s after the mount`.
  private func afterMount(_ record: ChangeRecord) -> HTML? {
    guard record.version > 0, let mount = view.log.record(of: 0) else { return nil }
    return ", \(HTML.duration(record.at &- mount.at)) after the mount"
  }

  /// `, 2 ms after the answer to click load`. A diff that answers no event has this note if one of
  /// the 20 versions before it answered an event at most five seconds earlier. This is only a hint:
  /// the diff may be the result of `assign_async` or `start_async` in the handler of that event, or
  /// have nothing to do with the event.
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

  /// The changed part of the page before and after the diff, each in a frame without scripts. The
  /// ids contain the version, so that each diff has new frames: another address in the same frame
  /// would be a step in the history of the browser.
  func pictures(of record: ChangeRecord) -> HTML? {
    guard record.version > 0, record.changeSet.changes.contains(where: { !$0.isSeldomOfInterest }) else { return nil }
    let figures = ChangePicture.Side.allCases.compactMap { side -> HTML? in
      if side == .before, record.version == view.firstVersion { return nil }
      let source = Link("views", view.id, "page").with("frame", 1).with("part", side.rawValue)
        .with("version", record.version).with("epoch", view.epoch)
      let name: HTML = side == .before ? "Before" : "After"
      return """
        <figure><figcaption>\(name)</figcaption><iframe sandbox="allow-same-origin" referrerpolicy="no-referrer" loading="lazy" tabindex="-1" \
        id="\(side.rawValue)-\(record.version)" \
        title="\(name): the changed part of the page" src="\(source)"></iframe></figure>

        """
    }
    let marks = Set(record.changeSet.changes.lazy.filter { !$0.isSeldomOfInterest }.map { ChangeMark($0.op) })
    let lines = ChangeMark.allCases.filter(marks.contains).map { "\($0.line): \($0.rawValue)" as HTML }
    return """
      <div class="pictures">
      \(figures)</div>
      <p class="note"><a href="\(link("page") { ($0.show, $0.with) = (.compare, nil) })">Compare all lines before and after</a> \
      <span class="size">\(lines.joined(by: ", "))</span></p>

      """
  }

  /// `Notified 2 of 33 subscribers: <h2>, <ul>`, and the bytes that the page had already.
  private func reach(of record: ChangeRecord) -> HTML {
    let waste = waste(of: record)
    if record.changeSet.isEmpty {
      return "<p class=\"note\">Nothing changed, and no subscriber was notified.</p>\n\(waste)"
    }
    let named = record.notified.prefix(8).map { nodeLink($0, named: record.displayName(of: $0)) }.joined(by: ", ")
    let more = record.notified.count - 8
    let nodes: HTML? = record.notified.isEmpty ? nil : ": \(named)\(more > 0 ? " and \(more) more" as HTML : nil)"
    let ended: HTML? =
      record.finished > 0
      ? """
      ; \(HTML.count(record.finished, "removed node")) had subscribers, which ended
      """ : nil
    return """
      <p class="reach">Notified <strong>\(HTML.count(record.observerCount)) of \
      \(HTML.count(record.allObserverCount, "subscriber"))</strong>\(nodes)\(ended)</p>
      \(waste)
      """
  }

  /// `5 B already on the page (6 %): slots 0, 2`. Grey unless ``ChangeRecord/isWasteHeavy``.
  private func waste(of record: ChangeRecord) -> HTML? {
    if record.waste.slots.isEmpty { return nil }
    let shown = Array(record.waste.slots.prefix(8))
    let sources = view.templateSources(of: shown)
    let slots = shown.map { slot -> HTML in
      let place: HTML? = sources[slot]?.place.map { " title=\"\($0.replacing("`", with: ""))\"" }
      return "<code\(place)>\(ChangeRecord.name(ofSlot: slot))</code>"
    }
    let rest: HTML? = record.waste.slots.count > 8 ? ", …" : nil
    return """
      <p class="reach waste\(record.isWasteHeavy ? " heavy" as HTML : nil)"><b class="mark" aria-hidden="true">!</b> \
      \(HTML.bytes(record.waste.bytes)) already on the page (\(Formatted.wholePercent(record.wasteShare))): \
      \(record.waste.count == 1 ? "slot" : "slots") \(slots.joined(by: ", "))\(rest)</p>

      """
  }

  private func notices(of record: ChangeRecord) -> [HTML] {
    var notices = resentLists(of: record)
    notices += record.diagnostics.prefix(20).map { diagnostic -> HTML in
      """
      <p class="notice finding\(diagnostic.code == "client-throws" ? " bad" as HTML : nil)"><b class="mark" aria-hidden="true">?</b> <code>\(diagnostic.code)</code> \
      \(diagnostic.node.map { "\(nodeLink($0)) " as HTML })<bdi>\(diagnostic.message)</bdi></p>

      """
    }
    if let title = record.title {
      let before: HTML? = view.title(at: record.version - 1).map { "<del>\(HTML.quoted($0))</del> → " }
      notices.append("<p class=\"notice\">Page title: \(before)<ins>\(HTML.quoted(title))</ins></p>\n")
    }
    if let events = record.events {
      notices.append("<p class=\"notice\">Events for the client: <code>\(Self.cut(events))</code></p>\n")
    }
    if let reply = record.reply {
      notices.append("<p class=\"notice\">Reply to the event: <code>\(Self.cut(reply))</code></p>\n")
    }
    return notices
  }

  private static func cut(_ text: String) -> HTML {
    let length = text.unicodeScalars.count
    return "\(text.unicodeScalars.prefix(300))\(length > 300 ? "… \(HTML.count(length)) characters" as HTML : nil)"
  }

  // MARK: - Changes

  /// The changes of elements and texts. The changes of white space and HEEx's comments follow in a
  /// closed list.
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
    return "<h4>\(HTML.count(main.count, "change"))</h4>\n\(main.isEmpty ? nil : list(main, of: record))\(folded)"
  }

  private func list(_ positions: [Int], of record: ChangeRecord) -> HTML {
    let shown = positions.prefix(Self.shownChanges)
    var excerpts = excerpts(of: shown.flatMap { record.slots[$0] }, in: record)
    let lines = shown.map { position -> HTML in
      let change = record.changeSet.changes[position]
      return """
        <li data-nodes="\(change.node.number)">\(line(of: change, in: record, at: position, from: excerpts.sources))\(excerpts.take(record.slots[position]))</li>

        """
    }
    return """
      <ul class="changes">
      \(lines)\(gap(positions.count - lines.count, "more change", of: record))\
      </ul>

      """
  }

  /// The last line of a list that is cut off: a link to the JSON, which has the other lines.
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
      <details class="input"><summary>The \(name) as a table</summary>
      \(DiffTable(explanation: explanation, names: record, showsBlanks: query.showsBlanks, link: link(toNode:)).html)
      </details>
      <details class="input"><summary>The \(name) as JSON</summary>
      <pre tabindex="0"><code>\(pretty.text)</code>\(rest)</pre>
      </details>

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

  /// The pipeline that computed a diff: full or scoped. `nil` for a mount, because it is always
  /// computed in the same way.
  private static func path(of record: ChangeRecord) -> HTML? {
    if record.version == 0 { return nil }
    return switch record.path {
    case .scoped: " <span class=\"size\" title=\"Only the part that the diff names was compared\">scoped</span>"
    case .full(let reason):
      " <span class=\"size\" title=\"The whole page was compared, and why\">full: <bdi>\(reason)</bdi></span>"
    }
  }
}

extension ChangeRecord {
  /// The share of the bytes that the page had already.
  var wasteShare: Double { bytes == 0 ? 0 : Double(waste.bytes) / Double(bytes) }

  var isWasteHeavy: Bool { Self.isHeavy(waste.bytes, share: wasteShare) }

  /// Whether the bytes that the page had already are emphasised: at least 32 B and 10 % of a diff.
  static func isHeavy(_ bytes: Int, share: Double) -> Bool { bytes >= 32 && share >= 0.1 }
}
