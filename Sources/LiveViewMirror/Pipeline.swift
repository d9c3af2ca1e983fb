internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

/// LiveView Native's update process, as the nine steps that it has.
///
/// Steps one to five compute: they may fail, and they change nothing, so that others read the view meanwhile. Steps six
/// to nine commit, and cannot fail. So a diff is a transaction. A scoped update (``updateScoped(_:decoding:)``) takes the
/// same steps with a part of the page, and shares the last ones.
extension ViewState {
  /// - Parameters:
  ///   - reason: why the full path is taken.
  ///   - merged: the tree after the diff, where that has been merged already.
  func prepare(
    _ message: WireMessage, decoding microseconds: Int = 0, because reason: String,
    merged: (rendered: Rendered, touched: TouchedSlots)? = nil
  ) throws(UpdateError) -> (update: PreparedUpdate, result: FullResult) {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    // 1. Decode: the message came typed.
    guard case .diff(let diff) = message.content else { throw Self.noDiff }
    timings.decode = microseconds

    // 2. Merge the diff into the tree.
    var (merged, touched) = if let merged { merged } else { try merge(diff, at: message.place) }
    try checkMemory(touching: touched.slots.count, at: message.place)
    timings.merge = watch.lap()

    // 3. Render the tree to markup.
    let rendering = try Self.render(merged, marking: touched, at: message.place)
    let components = try renderComponents(
      of: diff, in: merged, marking: touched, shownBy: rendering, at: message.place)
    timings.render = watch.lap()

    // 4. Parse the markup into a page.
    var page = try Self.parse(rendering, dialect: document.dialect, at: message.place)
    let parts = try components?.map { (part) throws(UpdateError) in
      try part.page(shownIn: page, of: document, at: message.place)
    }
    timings.parse = watch.lap()

    // 5. Compare what LiveView's client makes of the page with the document.
    let rules = patchRules(for: diff, in: merged, touching: touched, isByComponent: parts != nil)
    var shown = rendering
    let isContained = page.rootsAreContained
    if !isContained, let skipped = skippedContent(of: diff, in: merged) {
      shown = try Self.render(merged, marking: touched, skipping: skipped, at: message.place)
      page = try Self.parse(shown, dialect: document.dialect, at: message.place)
    }
    var morph =
      if let parts {
        Morph.changes(from: document, toComponents: parts, in: page, rules: rules)
      } else {
        Morph.changes(
          from: document, to: page, streams: shown.streams.map(StreamPatch.init), rules: rules)
      }
    let size = try Self.size(of: document, being: size.document, after: morph.changes, at: message.place)
    let isAddressable =
      options.pipeline == .scoped && isContained && !morph.changes.changesUpdateRules
      && (!page.mayHoldStreams || morph.marks.areSingle)
      && merged.link(to: page, names: morph.names, in: document)
    let forgotten = merged.forgetStreamEntries(after: [rendering] + (components?.map(\.rendering) ?? []))
    let isLinked =
      isAddressable
      && isSettled(
        merged, after: morph, showing: page, hasStreams: forgotten != nil,
        isPartial: parts != nil || rules.hidesChanges)
    let isStale = !isContained || (parts != nil || rules.hidesChanges) && !morph.shows(page)
    morph.forgetTree()
    timings.morph = watch.lap()

    let index = PageIndex(markup: shown.markup, page: page, morph: morph)
    let causes = Attribution(of: morph.changes, page: index, touched: touched, rendering: shown)
    timings.trace = watch.lap()
    let update = PreparedUpdate(
      of: diff, json: message.json, changeSet: morph.changes, causes: causes, path: .full(reason: reason),
      input: .diff(message.json, forgetting: forgotten), diagnostics: page.diagnostics, timings: timings)
    return (
      update,
      FullResult(
        rendered: merged, content: .apply(morph.marks), isLinked: isLinked, isStale: isStale,
        size: PageSize(rendering, of: size))
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
    isStale = result.isStale
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
    /// A mount's document.
    case replace(Document)
  }

  var rendered: Rendered
  var content: Content
  /// Whether the next update may be a scoped one.
  var isLinked: Bool
  /// See ``ViewState/isStale``.
  var isStale: Bool
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
    if attributes > most.attributes {
      return "the document would have \(attributes) attributes, more than \(most.attributes): send fewer"
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

  /// Refuses a page that would not fit into memory beside the one that it replaces, which stays until the mount has succeeded.
  static func checkMemory(
    of page: Page, from rendering: Rendering, beside memory: Int, at place: SlotPath
  ) throws(UpdateError) {
    let size = PageSize(rendering, of: DocumentSize(nodes: page.tree.count, bytes: rendering.markup.count))
    guard memory > 0, memory + size.memory > maximumMemoryOfMounts else { return }
    throw UpdateError(
      .unfitting,
      reason: """
        the page would take about \(size.memory >> 20) MiB beside the \(memory >> 20) MiB of the page that it replaces, together more \
        than \(maximumMemoryOfMounts >> 20) MiB: delete the view first
        """, pointer: place.pointer)
  }

  private static let maximumMemoryOfMounts = 140 << 20

  /// Measured with a list of 81,500 rows: the node in the document, its marks, its place in the log and in the merged tree.
  private static let memoryOfNode = 650
  /// Measured with the same list, of which all rows change: decoded, merged, rendered, parsed, compared and recorded.
  private static let memoryOfTouchedSlot = 2_400
  private static let maximumMemory = 200 << 20

  static func render(
    _ rendered: Rendered, marking touched: TouchedSlots = TouchedSlots(), skipping skipped: SkippedContent? = nil,
    at place: SlotPath
  ) throws(UpdateError) -> Rendering {
    do { return try rendered.render(marking: touched, skipping: skipped) } catch { throw UpdateError(error, in: place) }
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

  static func check(_ page: Page, at place: SlotPath) throws(UpdateError) {
    guard page.isTruncated else { return }
    throw UpdateError(
      .unfitting, reason: "the page has more than \(MarkupParser.maximumNodes) nodes", pointer: place.pointer)
  }
}
