internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

/// LiveView Native's update process, as the nine steps that it has.
///
/// Steps one to five compute: they may fail, and they change nothing, so that others read the view meanwhile. Steps six
/// to nine commit, and cannot fail. So a diff is a transaction. A scoped update (``updateScoped(_:decoding:)``) takes the
/// same steps with a part of the page, and shares the last ones.
extension ViewState {
  /// - Parameter reason: why the full path is taken.
  func prepare(
    _ message: WireMessage, decoding microseconds: Int = 0, because reason: String
  ) throws(UpdateError) -> (update: PreparedUpdate, result: FullResult) {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    // 1. Decode: the message came typed.
    guard case .diff(let diff) = message.content else { throw Self.noDiff }
    timings.decode = microseconds

    // 2. Merge the diff into the tree.
    var (merged, touched) = try merge(diff, at: message.place)
    try checkMemory(touching: touched.slots.count, at: message.place)
    timings.merge = watch.lap()

    // 3. Render the tree to markup.
    let rendering = try Self.render(merged, marking: touched, at: message.place)
    let hidden = try renderHiddenComponents(of: diff, in: merged, shownBy: rendering, at: message.place)
    timings.render = watch.lap()

    // 4. Parse the markup into a page.
    let page = try Self.parse(rendering, dialect: document.dialect, at: message.place)
    timings.parse = watch.lap()

    // 5. Compare the page with the document.
    let morph = Morph.changes(from: document, to: page, streams: rendering.streams.map(StreamPatch.init))
    let (changeSet, content) = try updating(hidden, after: morph, at: message.place)
    let size = try Self.size(of: document, being: size.document, after: changeSet, at: message.place)
    let isLinked =
      options.pipeline == .scoped && merged.link(to: page, names: morph.names, in: document) && content.isSettled
      && (!page.mayHoldStreams || morph.marks.areSingle)
      && !changeSet.changesUpdateRules
    let forgotten = merged.forgetStreamEntries(after: [rendering] + hidden.map(\.rendering))
    timings.morph = watch.lap()

    let index = PageIndex(markup: rendering.markup, page: page, morph: morph)
    let causes = Attribution(of: changeSet, page: index, touched: touched, rendering: rendering)
    timings.trace = watch.lap()
    let update = PreparedUpdate(
      of: diff, json: message.json, changeSet: changeSet, causes: causes, path: .full(reason: reason),
      input: .diff(message.json, forgetting: forgotten), diagnostics: page.diagnostics, timings: timings)
    return (
      update, FullResult(rendered: merged, content: content, isLinked: isLinked, size: PageSize(rendering, of: size))
    )
  }

  mutating func commit(_ update: PreparedUpdate, _ result: FullResult) -> ChangeRecord {
    // 6. Carry the changes out.
    switch result.content {
    case .apply(let marks): document.apply(update.changeSet, marks: marks)
    case .replace(let document): self.document = document
    }
    rendered = result.rendered
    isLinked = result.isLinked
    size = result.size
    return close(update)
  }

  /// The last steps of every update.
  mutating func close(_ update: PreparedUpdate) -> ChangeRecord {
    var (watch, timings) = (Stopwatch(), update.timings)
    // 7. Decide who is to be told.
    let finished = observers.follow(update.changeSet)
    let notified = update.changeSet.notified(in: document)
    timings.publish = watch.lap()

    // 8. Write it down.
    version += 1
    history.append(update.input)
    let record = record(of: update, notified: notified, finished: finished, timings: timings)
    log.append(record)

    // 9. Tell them: the coordinator does, when the view can be read again.
    return record
  }
}

/// What steps one to five found out, ready to be carried out at once.
struct PreparedUpdate {
  let asides: Asides?
  let unknownKeys: [UnknownKey]
  /// The update itself.
  let json: JSONText
  let changeSet: ChangeSet
  /// `nil` at a mount: everything comes from everywhere.
  let causes: Attribution?
  let path: UpdatePath
  /// What makes the tree of the version again.
  let input: ViewState.Input
  let diagnostics: [MarkupDiagnostic]
  /// What the verification of a scoped update found.
  let differences: [DocumentDiagnostic]
  let timings: ChangeRecord.Timings

  init(
    of diff: Diff, json: JSONText, changeSet: ChangeSet, causes: Attribution?, path: UpdatePath,
    input: ViewState.Input, diagnostics: [MarkupDiagnostic], differences: [DocumentDiagnostic] = [],
    timings: ChangeRecord.Timings
  ) {
    asides = Asides.of(diff)
    unknownKeys = diff.unknownKeys
    self.json = json
    self.changeSet = changeSet
    self.causes = causes
    self.path = path
    self.input = input
    self.diagnostics = diagnostics
    self.differences = differences
    self.timings = timings
  }
}

/// What the view holds after an update that looked at the whole page.
struct FullResult {
  /// How the document becomes the one after the update.
  enum Content {
    case apply(Marks)
    /// Where several morphs had to follow each other, they have been carried out on a copy.
    case replace(Document)

    var isSettled: Bool { if case .replace(let document) = self { document.tree.isSettled() } else { true } }
  }

  var rendered: Rendered
  var content: Content
  /// Whether the next update may be a scoped one.
  var isLinked: Bool
  var size: PageSize
}

// MARK: - The steps

extension DocumentSize {
  /// What is too large, and what can be done.
  fileprivate func excess(brought changes: ChangeSet) -> String {
    let most = Self.maximum
    if nodes > most.nodes {
      return """
        the document would have \(nodes) nodes, more than \(most.nodes): send fewer, or give its streams a limit
        """
    }
    let largest = Self.largestArrival(of: changes).map { ", of which one \($0.name) takes \($0.bytes) bytes" } ?? ""
    return """
      the document would take \(bytes >> 10) KiB as markup, with its texts escaped and unclosed formatting elements \
      cloned, more than \(most.bytes >> 20) MiB\(largest): send less, or close those elements
      """
  }
}

extension ViewState {
  static let noDiff = UpdateError(.unfitting, reason: "this message carries no diff", pointer: "")

  private func merge(
    _ diff: Diff, at place: SlotPath
  ) throws(UpdateError) -> (rendered: Rendered, touched: TouchedSlots) {
    do { return try rendered.merging(diff) } catch { throw UpdateError(error, in: place) }
  }

  /// Refuses an update that names so many slots of so large a page that the page before, the page after and the causes of all
  /// changes would not fit into memory together.
  private func checkMemory(touching slots: Int, at place: SlotPath) throws(UpdateError) {
    let memory = document.count * Self.memoryOfNode + slots * Self.memoryOfTouchedSlot
    guard memory > Self.maximumMemory else { return }
    throw UpdateError(
      .unfitting,
      reason: """
        the update names \(slots) slots of a document of \(document.count) nodes, which together take more than \
        \(Self.maximumMemory >> 20) MiB to apply: send it as several diffs
        """, pointer: place.pointer)
  }

  /// Measured with a list of 81,500 rows: the node in the document, its marks, its place in the log and in the merged tree.
  private static let memoryOfNode = 650
  /// Measured with the same list, of which all rows change: decoded, merged, rendered, parsed, compared and recorded.
  private static let memoryOfTouchedSlot = 2_400
  private static let maximumMemory = 200 << 20

  static func render(
    _ rendered: Rendered, marking touched: TouchedSlots = TouchedSlots(), at place: SlotPath
  ) throws(UpdateError) -> Rendering {
    do { return try rendered.render(marking: touched) } catch { throw UpdateError(error, in: place) }
  }

  /// - Throws: where there are more nodes than a page may have.
  static func parse(
    _ rendering: Rendering, dialect: Dialect, at place: SlotPath
  ) throws(UpdateError) -> Page {
    let page = Page(rendering, dialect: dialect)
    try check(page, at: place)
    return page
  }

  /// - Parameter size: that of the document now.
  /// - Returns: the size of the document after the changes.
  /// - Throws: where it is larger than a document may be.
  static func size(
    of document: Document, being size: DocumentSize, after changes: ChangeSet, at place: SlotPath
  ) throws(UpdateError) -> DocumentSize {
    let size = size.changed(by: changes, in: document)
    guard size.isExcessive else { return size }
    throw UpdateError(.unfitting, reason: size.excess(brought: changes), pointer: place.pointer)
  }

  private static func check(_ page: Page, at place: SlotPath) throws(UpdateError) {
    guard page.isTruncated else { return }
    throw UpdateError(
      .unfitting, reason: "the page has more than \(MarkupParser.maximumNodes) nodes", pointer: place.pointer)
  }

  /// Components inside the items of a stream are in the document and in no rendering: the server forgot the items. As in
  /// the browser, each that the diff names is rendered and compared by itself.
  private func renderHiddenComponents(
    of diff: Diff, in merged: Rendered, shownBy rendering: Rendering, at place: SlotPath
  ) throws(UpdateError) -> [(cid: Int, rendering: Rendering)] {
    guard !diff.components.isEmpty else { return [] }
    let unseen = document.components.subtracting(rendering.components)
    var hidden: [(cid: Int, rendering: Rendering)] = []
    for (cid, _) in diff.components where unseen.contains(cid) {
      do { hidden.append((cid, try merged.render(component: cid))) } catch { throw UpdateError(error, in: place) }
    }
    // One that stands in another is updated with it.
    let inner = hidden.reduce(into: Set<Int>()) { $0.formUnion($1.rendering.components.subtracting([$1.cid])) }
    return hidden.filter { !inner.contains($0.cid) }
  }

  /// The changes of the whole update, hidden components included, and how to carry them out.
  private func updating(
    _ hidden: [(cid: Int, rendering: Rendering)], after morph: Morph.Outcome, at place: SlotPath
  ) throws(UpdateError) -> (changeSet: ChangeSet, result: FullResult.Content) {
    if hidden.isEmpty { return (morph.changes, .apply(morph.marks)) }
    var next = document
    next.apply(morph.changes, marks: morph.marks)
    for (cid, rendering) in hidden {
      let streams = rendering.streams.map(StreamPatch.init)
      guard let root = next.rootNode(ofComponent: cid) else { continue }
      let (page, top) = next.page(of: rendering, replacing: root)
      try Self.check(page, at: place)
      guard let morph = Morph.changes(from: next, at: root, toFirstElementOf: top, in: page, streams: streams) else {
        continue
      }
      next.apply(morph.changes, marks: morph.marks)
    }
    return (ChangeSet(from: document, to: next), .replace(next))
  }
}
