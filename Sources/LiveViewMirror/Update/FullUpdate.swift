internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// An update that renders, parses and compares the whole page. It can apply every diff, but
/// ``ScopedUpdate`` is faster. So full updates are made only for mounts, for diffs that no scoped
/// update can apply, and if the options choose the full pipeline.
///
/// The steps are those of LiveView Native: merge, render, parse, compare. They work on a copy of
/// the view: other threads can read the view meanwhile, and an error changes nothing.
/// ``ViewState/commit(_:)-(FullUpdate)`` applies the result and cannot fail. So a diff is a
/// transaction.
struct FullUpdate {
  /// How the document of the next version is made.
  enum Content {
    /// By applying the change set, with new marks.
    case apply(Marks)
    /// By replacing the document, at a mount.
    case replace(Document)
  }

  var prepared: PreparedUpdate
  let rendered: Rendered
  let templates: TemplateTable
  let content: Content
  /// See ``ViewState/leftovers``; `nil` if the next update must be a full one.
  let leftovers: Set<NodeRef>?
  /// See ``ViewState/isStale``.
  let isStale: Bool
  let size: PageSize
  /// The page, and the document's node for each index in the storage of the page's tree; see
  /// ``ViewState/hasOffsets``. `nil` if the next rendering of the tree differs from this page.
  var page: (tree: NodeTree, refs: [NodeRef?])?
  /// See ``ViewState/markupBefore``.
  var markupBefore: String?
}

/// A tree with a diff merged into it.
struct MergedDiff {
  var rendered: Rendered
  var touched: TouchedSlots
}

extension FullUpdate {
  /// Computes the update for a diff.
  ///
  /// - Parameters:
  ///   - view: the view before the update.
  ///   - reason: the reason for a full update.
  ///   - merged: the tree after the diff, if a scoped update has already merged it.
  ///   - microseconds: the time that decoding took.
  ///   - bound: the memory for the update.
  init(
    _ message: WireMessage, to view: ViewState, because reason: FullUpdateReason, merged: MergedDiff? = nil,
    decoding microseconds: Int = 0, within bound: MemoryBound = .unlimited
  ) throws(UpdateError) {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    let (document, place) = (view.document, message.place)
    let diff = try message.diff
    timings.decode = microseconds

    // Nothing changes if the client stops before it patches the page.
    if let failure = diff.failure(in: view.versions) {
      self = FullUpdate(message, diff, stopping: view, with: failure, timings)
      return
    }

    // Merge the diff into the tree.
    let merge = if let merged { merged } else { try Self.merge(diff, into: view.rendered, at: place) }
    var (rendered, touched) = (merge.rendered, merge.touched)
    if bound.refuses { try Self.checkMemory(of: document, touching: touched.slots.count, at: place) }
    timings.merge = watch.lap()

    // Render the tree to markup.
    let marked = TouchedSlots.Index(touched)
    let rendering = try Self.render(rendered, marking: marked, at: place)
    let components = try view.renderComponents(of: diff, in: rendered, marking: marked, shownBy: rendering, at: place)
    timings.render = watch.lap()

    // Parse the markup into a page.
    var page = try Self.parse(rendering, dialect: document.dialect, at: place)
    let parts = try components?.map { (part) throws(UpdateError) in
      try part.page(shownIn: page, of: document, at: place)
    }
    timings.parse = watch.lap()
    try Self.checkMemory(of: page, over: document, touching: touched.slots.count, within: bound)

    // Compare what LiveView's client makes of the page with the document.
    let rules = view.patchRules(for: diff, in: rendered, touching: touched, isByComponent: parts != nil)
    var shown = rendering
    let isContained = page.rootsAreContained
    if !isContained, let skipped = view.skippedContent(of: diff, in: rendered) {
      shown = try Self.render(rendered, marking: marked, skipping: skipped, at: place)
      page = try Self.parse(shown, dialect: document.dialect, at: place)
    }
    var morph =
      if let parts {
        Morph.changes(from: document, toComponents: parts, in: page, rules: rules)
      } else {
        Morph.changes(from: document, to: page, streams: shown.streams.map(StreamPatch.init), rules: rules)
      }
    let changes = morph.changes
    let size = try Self.size(of: document, being: view.size.document, after: changes, at: place)

    // Find the parts of stream operations without effect, before the tree forgets the entries.
    let operations = Set((components?.map(\.rendering) ?? [shown]).flatMap(\.streams))
    let streams = StreamWaste(
      of: touched.streams.filter { operations.contains($0.operation) }, in: touched, rendered: rendered,
      changing: document, by: changes)

    // Link the tree to the page, for scoped updates.
    var templates = view.templates
    let isAddressable =
      view.options.pipeline == .scoped && isContained && !changes.changesUpdateRules
      && (!page.mayHoldStreams || morph.marks.areSingle)
      && rendered.linkAll(to: page, nodeNumbers: morph.nodeNumbers, &templates, in: document)
    let forgotten = rendered.forgetStreamEntries(after: [rendering] + (components?.map(\.rendering) ?? []))
    let isPartial = parts != nil || rules.hidesChanges
    leftovers =
      isAddressable
      ? view.leftovers(rendered, after: morph, showing: page, hasStreams: forgotten != nil, isPartial: isPartial) : nil
    isStale = !isContained || (isPartial || morph.isPatched) && !morph.shows(page)
    morph.forgetTree()
    timings.morph = watch.lap()

    // Find the causes of the changes.
    let found = Causes.slots(
      of: changes.changes, among: touched.causes(besides: streams), touching: touched, streams: document.marks.streams,
      after: { Causes(of: $0, shown, parsedAs: page, showing: morph.refs, touching: touched) },
      before: { nodes in
        guard (try? Self.checkMemory(of: page, over: document, touching: 0, within: bound)) != nil else { return nil }
        return Causes(of: nodes, before: view, marking: marked.before(touched), touching: touched)
      })
    let causes = Attribution(found, of: changes.changes, touching: touched, streams: streams)
    timings.trace = watch.lap()

    prepared = PreparedUpdate(
      of: diff, in: message, changeSet: changes, causes: causes, path: .full(reason: reason.text),
      effect: .merged(forgetting: forgotten), diagnostics: page.diagnostics,
      notes: (diff.hasStreams ? document.unknownChildren(of: diff.streams) : [])
        + (morph.failure.map { [DocumentDiagnostic($0)] } ?? []), timings: timings)
    prepared.note(page, isWhole: isContained, named: { morph.ref(of: $0) })
    self.rendered = rendered
    self.templates = templates
    content = .apply(morph.marks)
    // If the condition is false, the next rendering of the tree differs from this page: the tree
    // has forgotten entries of streams, or renders content that the client has not taken over.
    if forgotten == nil, !isPartial, isContained, !morph.isPatched { self.page = (page.tree, morph.refs) }
    self.size = PageSize(rendering, of: size, in: try Self.treeSize(of: rendered, at: place))
  }

  /// A version that changes nothing, because the client stops before it patches the page.
  private init(
    _ message: WireMessage, _ diff: Diff, stopping view: ViewState, with failure: ClientFailure,
    _ timings: ChangeRecord.Timings
  ) {
    prepared = PreparedUpdate(
      of: diff, in: message, changeSet: ChangeSet(), causes: nil,
      path: .full(reason: FullUpdateReason.clientStops.text),
      effect: .nothing, diagnostics: [], notes: [DocumentDiagnostic(failure)],
      timings: timings)
    (rendered, templates, content) = (view.rendered, view.templates, .apply(view.document.marks))
    (leftovers, isStale, size) = (view.leftovers, view.isStale, view.size)
  }
}

extension WireMessage {
  /// The diff of the message.
  ///
  /// - Throws: if the message is not a diff.
  var diff: Diff {
    get throws(UpdateError) {
      guard case .diff(let diff) = content else {
        throw UpdateError(.unfitting, reason: "the message is not a diff", pointer: "")
      }
      return diff
    }
  }
}
