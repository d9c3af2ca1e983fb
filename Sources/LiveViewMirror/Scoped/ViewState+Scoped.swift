internal import MarkupDocument
internal import RenderedTree

extension ViewState {
  /// Applies a diff by touching what it names.
  ///
  /// The tree is merged in place, and put back where the update cannot be applied so: until the document changes, which
  /// cannot fail, everything is as before.
  ///
  /// - Returns: the record of the update, or why the full path has to be taken.
  mutating func updateScoped(
    _ message: WireMessage, decoding microseconds: Int
  ) throws(UpdateError) -> Swift.Result<ChangeRecord, FullPath> {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    guard case .diff(let diff) = message.content else { throw Self.noDiff }
    if diff.root.statics != nil { return .failure(FullPath("the diff brings a whole page")) }
    guard isLinked else { return .failure(FullPath("the page does not show what the document keeps")) }
    timings.decode = microseconds
    // A list, since a state is large, and mostly none is kept.
    let before = options.verifies ? [self] : []
    // Beside a diff of the page's size a copy costs little, and taking the diff back would cost as much as merging it.
    let unmerged = message.json.text.utf8.count > max(document.count, Self.shortDiff) ? [rendered] : []
    let merge: Rendered.Merge
    do { merge = try rendered.merge(diff) } catch { throw UpdateError(error, in: message.place) }
    timings.merge = watch.lap()

    let (changeSet, slots, diagnostics): (ChangeSet, [[String]], [MarkupDiagnostic])
    let input: Input
    do throws(FullPath) {
      try checkClientRules(for: diff, touching: merge.touched)
      if let (update, text) = try oneSlot(of: merge, diff) {
        (changeSet, slots, diagnostics) = (ChangeSet(update.changes), update.slots, update.diagnostics)
        try grow(by: PageSize(markup: update.size), changing: changeSet)
        timings.morph = watch.lap()
        // No node came, and no attribute differs by which others are read: so everything is linked as it was.
        document.apply(changeSet)
        input = text
      } else {
        let budget = WorkBudget(for: document, size, diff: message.json.text.utf8.count)
        let result = try ScopedUpdate.compute(merge, of: diff, in: rendered, document, within: budget)
        (changeSet, slots, diagnostics) = (ChangeSet(result.changes), result.slots, result.diagnostics)
        // What else the diff says of the element's children was compared by the former rule.
        if changeSet.changesUpdateRules { throw FullPath("the rule by which an element is updated changes") }
        try grow(by: result.size, changing: changeSet)
        timings.morph = watch.lap()
        input = .diff(message.json, forgetting: carryOut(changeSet, result, of: merge))
      }
    } catch {
      let merged = rendered
      if let unmerged = unmerged.first { rendered = unmerged } else { rendered.undo(merge) }
      return .failure(FullPath(error.reason, after: (merged, merge.touched)))
    }
    let causes = Attribution(slots, of: merge.touched)
    timings.trace = watch.lap()
    let differences = before.first.map { self.differences(by: changeSet, from: $0, after: message) } ?? []
    return .success(
      close(
        PreparedUpdate(
          of: diff, json: message.json, changeSet: changeSet, causes: causes, path: .scoped, input: input,
          diagnostics: diagnostics, differences: differences, timings: timings)))
  }

  /// A diff of at most this many bytes is taken back as fast as a page is copied, however small the page is.
  private static let shortDiff = 256

  /// - Throws: before the document has changed.
  private mutating func grow(by more: PageSize, changing changes: ChangeSet) throws(FullPath) {
    var larger = size
    larger.add(more)
    larger.document = size.document.changed(by: changes, in: document)
    if larger.isExcessive { throw FullPath("the page may have become too large") }
    size = larger
  }

  /// - Returns: the streams whose entries only the document keeps from now on.
  private mutating func carryOut(
    _ changeSet: ChangeSet, _ result: ScopedUpdate.Result, of merge: Rendered.Merge
  ) -> ForgottenStreams? {
    // A site is valid while its component is in the page. The tree keeps a component until the server destroys it, and its
    // nodes can have another owner by then.
    for cid in document.apply(changeSet, replacingMarksOf: result.marked, with: result.marks) {
      rendered.components[cid]?.site = nil
    }
    for link in result.links where !rendered.link(link, in: document) || !link.isSettled(in: document) {
      isLinked = false
    }
    return result.hasStreams ? rendered.forgetStreamEntries(of: merge, shownIn: result.shown) : nil
  }
}
