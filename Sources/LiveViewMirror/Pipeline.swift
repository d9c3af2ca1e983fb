internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

/// LiveView Native's update process, as the nine steps that it has.
///
/// Steps one to five compute and may fail; nothing is changed by them. Steps six to nine commit and cannot fail. So a
/// diff is a transaction.
extension ViewState {
  mutating func update(with message: WireMessage, decoding microseconds: Int = 0) throws(UpdateError) -> ChangeRecord {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    // 1. Decode: the message came typed.
    guard case .diff(let diff) = message.content else { throw Self.noDiff }
    timings.decode = microseconds

    // 2. Merge the diff into the tree.
    let (merged, touched) = try merge(diff, at: message.place)
    timings.merge = watch.lap()

    // 3. Render the tree to markup.
    let rendering = try render(merged, marking: touched, at: message.place)
    let hidden = try renderHiddenComponents(of: diff, in: merged, shownBy: rendering, at: message.place)
    timings.render = watch.lap()

    // 4. Parse the markup into a page.
    let page = Page(rendering, dialect: document.dialect)
    timings.parse = watch.lap()

    // 5. Compare the page with the document.
    let morph = Morph.changes(from: document, to: page, streams: rendering.streams.map(StreamPatch.init))
    timings.morph = watch.lap()

    // 6. Carry the changes out.
    let before = hidden.isEmpty ? nil : document
    var changeSet = commit(morph, merged)
    update(hidden)
    if let before { changeSet = ChangeSet(from: before, to: document) }
    rendered.forgetStreamEntries()

    // 7. Decide who is to be told.
    let finished = observers.follow(changeSet)
    let notified = changeSet.notified(in: document)
    timings.publish = watch.lap()

    // 8. Write it down.
    history.append(.diff(message.json))
    let index = PageIndex(markup: rendering.markup, page: page, morph: morph)
    let causes = Attribution(of: changeSet, in: document, page: index, touched: touched, rendering: rendering)
    version += 1
    let record = record(
      of: diff, changeSet: changeSet, slots: causes.slots, waste: causes.waste, notified: notified, finished: finished,
      page: page, input: message.json, timings: timings)
    log.append(record)

    // 9. Tell them: the coordinator does, when the view can be read again.
    return record
  }
}

// MARK: - Mounting

extension ViewState {
  /// A view's first page, or its next one after a remount.
  ///
  /// - Parameter epoch: one more than that of the mount before.
  init(
    _ id: String, epoch: Int, dialect: Dialect, mounting message: WireMessage, publishers: NodePublishers,
    decoding microseconds: Int = 0
  ) throws(UpdateError) {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    guard case .rendered(let diff) = message.content else {
      throw UpdateError(.unfitting, reason: "this message carries no Rendered to mount", pointer: "")
    }
    timings.decode = microseconds
    let rendered: Rendered
    do { rendered = try Rendered(mounting: diff) } catch { throw UpdateError(error, in: message.place) }
    timings.merge = watch.lap()
    let rendering: Rendering
    do { rendering = try rendered.render() } catch { throw UpdateError(error, in: message.place) }
    timings.render = watch.lap()
    let page = Page(rendering, dialect: dialect)
    timings.parse = watch.lap()
    let empty = Document(dialect: dialect, epoch: Int32(truncatingIfNeeded: epoch))
    let morph = Morph.changes(from: empty, to: page, streams: rendering.streams.map(StreamPatch.init))
    timings.morph = watch.lap()

    let now = wallClock()
    self.init(
      id: id, epoch: epoch, version: 0, rendered: rendered, document: empty,
      observers: MountedObservers(publishers: publishers), history: [.mount(message.json)], mountedAt: now,
      updatedAt: now)
    observers.replaceDocument(root: empty.root)
    let changeSet = commit(morph, rendered)
    self.rendered.forgetStreamEntries()
    let finished = observers.follow(changeSet)
    let notified = changeSet.notified(in: document)
    timings.publish = watch.lap()
    log.append(
      record(
        of: diff, changeSet: changeSet, slots: changeSet.changes.map { _ in [] }, waste: .init(bytes: 0, slots: []),
        notified: notified, finished: finished, page: page, input: message.json, timings: timings))
  }
}

// MARK: - The steps

extension ViewState {
  private static let noDiff = UpdateError(.unfitting, reason: "this message carries no diff", pointer: "")

  private func merge(
    _ diff: Diff, at place: SlotPath
  ) throws(UpdateError) -> (rendered: Rendered, touched: TouchedSlots) {
    do { return try rendered.merging(diff) } catch { throw UpdateError(error, in: place) }
  }

  private func render(
    _ rendered: Rendered, marking touched: TouchedSlots, at place: SlotPath
  ) throws(UpdateError) -> Rendering {
    do { return try rendered.render(marking: touched) } catch { throw UpdateError(error, in: place) }
  }

  private mutating func commit(_ morph: Morph.Outcome, _ merged: Rendered) -> ChangeSet {
    document.apply(morph.changes, marks: morph.marks)
    rendered = merged
    return morph.changes
  }

  private mutating func record(
    of diff: Diff, changeSet: ChangeSet, slots: [[String]], waste: ChangeRecord.Waste, notified: [NodeRef],
    finished: Int, page: Page, input: JSONText, timings: ChangeRecord.Timings
  ) -> ChangeRecord {
    title = diff.title ?? title
    updatedAt = wallClock()
    return ChangeRecord(
      view: id, epoch: epoch, version: version, at: updatedAt, bytes: input.text.utf8.count, nodes: document.count,
      changeSet: changeSet, slots: slots, parentNames: changeSet.parentNames(in: document), notified: notified,
      observers: notified.reduce(0) { $0 + observers.publishers.count(of: $1).total }, allObservers: observers.count,
      finished: finished, waste: waste, timings: timings,
      diagnostics: page.diagnostics.map(DocumentDiagnostic.init) + document.duplicateIDs(),
      events: diff.events?.text, title: diff.title, reply: diff.reply?.text, input: input.text)
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

  private mutating func update(_ hidden: [(cid: Int, rendering: Rendering)]) {
    for (cid, rendering) in hidden {
      let page = Page(rendering, dialect: document.dialect)
      let streams = rendering.streams.map(StreamPatch.init)
      guard let morph = Morph.changes(ofComponent: cid, in: document, to: page, streams: streams) else { continue }
      document.apply(morph.changes, marks: morph.marks)
    }
  }
}
