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
    let merge: Rendered.Merge
    do { merge = try rendered.merge(diff) } catch { throw UpdateError(error, in: message.place) }
    timings.merge = watch.lap()

    let result: ScopedUpdate.Result
    do throws(FullPath) {
      if let found = oneSlot(of: merge, diff) {
        result = found
      } else {
        result = try ScopedUpdate.compute(merge, of: diff, in: rendered, document)
      }
      var larger = size
      larger.add(result.size)
      if larger.isExcessive { throw FullPath("the page may have become too large") }
      size = larger
    } catch {
      rendered.undo(merge)
      return .failure(error)
    }
    timings.morph = watch.lap()

    let changeSet = ChangeSet(result.changes)
    document.apply(changeSet, replacingMarksOf: result.marked, with: result.marks)
    for link in result.links where !rendered.link(link, in: document) { isLinked = false }
    if changeSet.changesUpdateRules { isLinked = false }
    let forgotten = result.hasStreams ? rendered.forgetStreamEntries(of: merge, shownIn: result.shown) : nil
    let causes = Attribution(result.slots, of: merge.touched)
    timings.trace = watch.lap()
    var update = PreparedUpdate(
      of: diff, json: message.json, changeSet: changeSet, causes: causes, path: .scoped,
      forgotten: forgotten, diagnostics: result.diagnostics, timings: timings)
    if let before = before.first { update.differences = differences(by: changeSet, from: before, after: message) }
    return .success(close(update))
  }
}
