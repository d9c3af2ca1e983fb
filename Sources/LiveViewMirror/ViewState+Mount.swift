internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

extension ViewState {
  /// A view's first page, or its next one after a remount.
  ///
  /// - Parameters:
  ///   - epoch: one more than that of the mount before.
  ///   - container: what the view's element held.
  ///   - previous: the document of the mount before.
  ///   - memory: about how many bytes the view takes until it is replaced.
  ///   - reportedKeys: those of the mount before.
  init(
    _ id: String, epoch: Int, dialect: Dialect, mounting message: WireMessage, over container: ContainerContent,
    keeping previous: Document? = nil, beside memory: Int = 0, reportedKeys: ReportedKeys = ReportedKeys(),
    publishers: NodePublishers,
    options: UpdateOptions, clock: WallClock, decoding microseconds: Int = 0
  ) throws(UpdateError) {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    guard case .rendered(let diff) = message.content else {
      throw UpdateError(.unfitting, reason: "this message carries no Rendered to mount", pointer: "")
    }
    timings.decode = microseconds
    var rendered: Rendered
    do { rendered = try Rendered(mounting: diff) } catch { throw UpdateError(error, in: message.place) }
    timings.merge = watch.lap()
    let rendering = try Self.render(rendered, at: message.place)
    timings.render = watch.lap()
    let page = try Self.parse(rendering, dialect: dialect, at: message.place)
    timings.parse = watch.lap()
    try Self.checkMemory(of: page, from: rendering, beside: memory, at: message.place)
    let client = message.liveViewVersion.map(ClientVersion.init(liveView:)) ?? .newest
    let (document, changes, names) = Document.mounting(
      page, dialect: dialect, epoch: epoch, streams: rendering.streams.map(StreamPatch.init),
      over: Held(container, previous), rules: PatchRules(version: client, isJoin: true))
    let size = try Self.size(
      of: Document(dialect: dialect, epoch: epoch), being: PageSize().document, after: changes, at: message.place)
    let isAddressable =
      options.pipeline == .scoped && page.rootsAreContained && rendered.link(to: page, names: names)
    let forgotten = rendered.forgetStreamEntries(after: [rendering])
    let isLinked =
      isAddressable
      && (!document.keepsClientState(with: page) && forgotten == nil
        || rendered.isSettled(in: document, showing: forgotten == nil ? page : nil, client: client))
    timings.morph = watch.lap()

    let now = clock.now()
    self.init(
      id: id, epoch: epoch, version: -1, container: container, client: client, options: options, clock: clock,
      rendered: rendered,
      document: Document(dialect: dialect, epoch: epoch),
      observers: MountedObservers(publishers: publishers), mountedAt: now, updatedAt: now)
    self.reportedKeys = reportedKeys
    observers.replaceDocument(root: document.root)
    let update = PreparedUpdate(
      of: diff, json: message.json, changeSet: changes, causes: nil, path: .full(reason: "a mount"),
      input: .mount(message.json, over: container, forgetting: forgotten), diagnostics: page.diagnostics,
      timings: timings)
    _ = commit(
      update,
      FullResult(
        rendered: rendered, content: .replace(document), isLinked: isLinked, isStale: false,
        size: PageSize(rendering, of: size)))
  }
}

extension Held {
  fileprivate init(_ container: ContainerContent, _ previous: Document?) {
    switch (container, previous) {
    case (.empty, _): self = .nothing
    case (.kept, let previous?): self = .document(previous)
    case (.dead, _), (.kept, nil): self = .page
    }
  }
}
