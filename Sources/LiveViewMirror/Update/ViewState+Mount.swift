internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import RenderedTree

/// The first page of a view, or the next one after a remount. The coordinator makes a mount from
/// its state and the feed, and a replay makes it from the journal. Equal mounts of the same
/// Rendered give equal documents.
struct Mount {
  let dialect: Dialect
  /// The content of the view's element before the mount.
  let container: ContainerContent
  /// Greater than the epoch of the previous mount: by one, unless an export states a greater epoch.
  let epoch: Int
  /// The view before the mount.
  let previous: ViewState?
  /// The markup of the view's element before the mount, if the feed or an export contains it. It is
  /// then used instead of the document of ``previous``.
  var markupBefore: String?
}

extension FullUpdate {
  /// Computes a mount.
  ///
  /// - Parameters:
  ///   - microseconds: the time that decoding took.
  ///   - bound: the memory for the update.
  init(
    _ message: WireMessage, mounting mount: Mount, for versions: LiveViewVersions, options: UpdateOptions,
    decoding microseconds: Int, within bound: MemoryBound
  ) throws(UpdateError) {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    guard case .rendered(let diff) = message.content else {
      throw UpdateError(.unfitting, reason: "the message is not a Rendered that can be mounted", pointer: "")
    }
    timings.decode = microseconds
    var rendered: Rendered
    do { rendered = try Rendered(mounting: diff) } catch { throw UpdateError(error, in: message.place) }
    timings.merge = watch.lap()
    let rendering = try Self.render(rendered, at: message.place)
    timings.render = watch.lap()
    let page = try Self.parse(rendering, dialect: mount.dialect, at: message.place)
    timings.parse = watch.lap()
    if bound.refuses {
      try Self.checkMemory(of: page, from: rendering, beside: mount.previous?.memory ?? 0, at: message.place)
    }
    try Self.checkMemory(of: page, over: mount.previous?.document, touching: 0, within: bound)
    let (streams, before) = (rendering.streams.map(StreamPatch.init), mount.contentBefore)
    if case .document(let kept) = before, before.matters(to: page, streams: streams) {
      markupBefore = mount.markupBefore ?? kept.markup(of: kept.root)
    }
    let (document, changes, nodeNumbers, failure) = Document.mounting(
      page, dialect: mount.dialect, epoch: mount.epoch, streams: streams, over: before,
      rules: PatchRules(
        version: versions.client, isJoin: mount.container != .resumed, isResumption: mount.container == .resumed))
    let empty = Document(dialect: mount.dialect, epoch: mount.epoch)
    let size = try Self.size(of: empty, being: PageSize().document, after: changes, at: message.place)
    var templates = TemplateTable(dialect: mount.dialect)
    let isAddressable =
      options.pipeline == .scoped && page.rootsAreContained
      && rendered.linkAll(to: page, nodeNumbers: nodeNumbers, &templates)
    let forgotten = rendered.forgetStreamEntries(after: [rendering])
    let canBeScoped =
      isAddressable && failure == nil && !document.hasDuplicateIDs && !document.needsFullUpdates
    let keepsState = forgotten != nil || document.keepsClientState(with: page)
    leftovers =
      !canBeScoped
      ? nil
      : !keepsState
        ? [] : rendered.leftovers(in: document, showing: forgotten == nil ? page : nil, client: versions.client)
    timings.morph = watch.lap()

    prepared = PreparedUpdate(
      of: diff, in: message, changeSet: changes, causes: nil, path: .full(reason: FullUpdateReason.mount.text),
      effect: .merged(forgetting: forgotten), diagnostics: page.diagnostics,
      notes: versions.skew + (failure.map { [DocumentDiagnostic($0)] } ?? []), timings: timings)
    prepared.note(page, isWhole: true) {
      let number = nodeNumbers.indices.contains(Int($0.raw)) ? nodeNumbers[Int($0.raw)] : 0
      return number > 0 ? NodeRef(epoch: mount.epoch, number: number) : nil
    }
    self.rendered = rendered
    self.templates = templates
    content = .replace(document)
    isStale = failure != nil
    self.size = PageSize(rendering, of: size, in: try Self.treeSize(of: rendered, at: message.place))
  }
}

extension ViewState {
  /// Mounts a view.
  ///
  /// - Parameters:
  ///   - publishers: the publishers of the view, which a remount keeps.
  ///   - bound: the memory for the mount.
  static func mounting(
    _ message: WireMessage, _ mount: Mount, id: String, publishers: NodePublishers, options: UpdateOptions,
    clock: WallClock, decoding microseconds: Int = 0, within bound: MemoryBound = .unlimited
  ) throws(UpdateError) -> (view: ViewState, record: ChangeRecord) {
    let versions = LiveViewVersions(client: message.clientVersion, server: message.liveViewVersion)
    let update = try FullUpdate(
      message, mounting: mount, for: versions, options: options, decoding: microseconds, within: bound)
    let now = clock.now()
    var view = ViewState(
      id: id, epoch: mount.epoch, version: -1, container: mount.container, versions: versions, options: options,
      clock: clock,
      rendered: update.rendered, templates: update.templates,
      document: Document(dialect: mount.dialect, epoch: mount.epoch),
      observers: MountedObservers(publishers: publishers), mountedAt: now, updatedAt: now)
    view.markupBefore = update.markupBefore
    view.isFedWithFrames = message.joinRef != nil
    view.log = ChangeLog(mount.previous?.log.projections.afterRemount() ?? Projections(options.projections))
    view.observers.replaceDocument(root: view.document.root)
    let record = view.commit(update)
    return (view, record)
  }
}

extension Mount {
  /// The content of the view's element before the mount.
  fileprivate var contentBefore: ContentBeforeJoin {
    switch container {
    case .empty: return .nothing
    case .dead: return .page
    case .kept:
      if let markupBefore {
        return .document(Document(parsing: Array(markupBefore.utf8), dialect: dialect))
      }
      return previous.map { .document($0.document) } ?? .page
    case .resumed:
      // If the markup before the resumption is not known, the view is mounted as on a first page
      // load.
      return markupBefore.map { .document(Document(shown: Array($0.utf8), dialect: dialect)) } ?? .page
    }
  }
}
