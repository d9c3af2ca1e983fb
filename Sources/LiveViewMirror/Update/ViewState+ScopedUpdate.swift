internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The result of an attempt to apply a diff by a scoped update. The coordinator makes this attempt
/// before a full update.
enum ScopedOutcome {
  case applied(ChangeRecord)
  /// A full update must apply the diff. The view is unchanged.
  case needsFullUpdate(FullUpdateReason, merged: MergedDiff?)
}

extension ChangeRecord.Timings {
  /// - Parameters:
  ///   - total: the time from the merge to the change set, in microseconds.
  ///   - rendering: the part of `total` that rendering has taken, in nanoseconds.
  ///   - parsing: the part of `total` that parsing has taken, in nanoseconds.
  fileprivate mutating func setScoped(total: Int, rendering: Int64, parsing: Int64) {
    render = min(total, Int(rendering + 500) / 1_000)
    parse = min(total - render, Int(parsing + 500) / 1_000)
    morph = total - render - parse
  }
}

extension ViewState {
  /// Applies a diff by a scoped update.
  ///
  /// The diff is merged into the tree in place. If a full update is needed, the merge is undone.
  /// Changing the document is the last step and cannot fail.
  ///
  /// - Parameter microseconds: the time that decoding took.
  /// - Throws: ``UpdateError`` if the diff cannot be applied at all; the view is then unchanged.
  mutating func updateScoped(
    _ message: WireMessage, decoding microseconds: Int
  ) throws(UpdateError) -> ScopedOutcome {
    var (watch, timings) = (Stopwatch(), ChangeRecord.Timings())
    let diff = try message.diff
    if diff.root.statics != nil { return .needsFullUpdate(.wholePage, merged: nil) }
    if diff.failure(in: versions) != nil { return .needsFullUpdate(.clientStops, merged: nil) }
    guard let leftovers else { return .needsFullUpdate(unlinkedReason, merged: nil) }
    timings.decode = microseconds
    // Arrays as boxes: a state is large, and an Optional of it would be on the stack.
    let before = options.verifies ? [self] : []
    // If the diff has more bytes than the page has nodes, the tree is copied before the merge: a
    // copy is cheap in comparison with the merge, while undoing the merge costs as much as the
    // merge.
    let unmerged = message.json.text.utf8.count > max(document.count, Self.shortDiff) ? [rendered] : []
    let merge: Rendered.Merge
    do { merge = try rendered.merge(diff) } catch { throw UpdateError(error, in: message.place) }
    timings.merge = watch.lap()

    let (changeSet, causes, diagnostics): (ChangeSet, [[Int]], [MarkupDiagnostic])
    var notes: [DocumentDiagnostic] = []
    let effect: TreeEffect
    var streams = StreamWaste()
    var hidden: Set<Int> = []
    do throws(FullUpdateReason) {
      try checkClientRules(for: diff, touching: merge.touched)
      if leftovers.isEmpty, let (update, text) = try oneSlot(of: merge, diff) {
        (changeSet, causes, diagnostics) = (ChangeSet(update.changes), update.causes, update.diagnostics)
        try grow(by: PageSize(markup: update.size), changing: changeSet, after: message)
        timings.morph = watch.lap()
        // A one-slot update adds no node and changes no attribute that linking reads, so the links
        // stay valid.
        document.apply(changeSet)
        effect = text
      } else {
        // For a diff that names a large part of the page, a full update takes less work.
        if merge.edits.count > 64, merge.edits.count * 4 > document.count { throw .largeDiff }
        let budget = WorkBudget(for: document, size, diff: message.json.text.utf8.count)
        let result = try ScopedUpdate.compute(
          merge, of: diff,
          in: ScopedContext(merge, in: rendered, document, templates, leaving: leftovers, client, budget))
        (changeSet, causes, diagnostics) = (ChangeSet(result.changes), result.causes, result.diagnostics)
        // If the `phx-update` attribute of an element changes, the children of this element were
        // compared under the previous value.
        if changeSet.changesUpdateRules { throw .changedUpdateRule }
        try grow(by: result.size, changing: changeSet, after: message)
        timings.setScoped(total: watch.lap(), rendering: result.rendering, parsing: result.parsing)
        streams = StreamWaste(
          of: merge.touched.streams, in: merge.touched, rendered: rendered, changing: document, by: changeSet)
        if result.hasStreams { notes += document.unknownChildren(of: diff.streams) }
        effect = .merged(forgetting: carryOut(changeSet, result, of: merge, hiding: &hidden))
      }
    } catch {
      let merged = MergedDiff(rendered: rendered, touched: merge.touched)
      if let unmerged = unmerged.first { rendered = unmerged } else { rendered.undo(merge) }
      return .needsFullUpdate(error, merged: merged)
    }
    let attribution = Attribution(causes, of: changeSet.changes, touching: merge.touched, streams: streams)
    timings.trace = watch.lap()
    if let before = before.first { notes += differences(by: changeSet, from: before, after: message) }
    var prepared = PreparedUpdate(
      of: diff, in: message, changeSet: changeSet, causes: attribution, path: .scoped, effect: effect,
      diagnostics: diagnostics, notes: notes, timings: timings)
    prepared.hidden = hidden
    hasOffsets = false
    return .applied(finish(prepared))
  }

  /// Why ``leftovers`` is `nil`, so that each diff needs a full update.
  private var unlinkedReason: FullUpdateReason {
    if document.hasPortals { return .portalTemplates }
    do throws(FullUpdateReason) { try checkIDs() } catch { return error }
    return .unlinkedPage
  }

  /// Before the merge of a diff of at most this many bytes, the tree is never copied: undoing the
  /// merge is as fast as copying even a small page.
  private static let shortDiff = 256

  /// Adds an update to the estimated size of the view.
  ///
  /// - Throws: if the view would become too large for a scoped update. The size is then unchanged.
  private mutating func grow(
    by more: PageSize, changing changes: ChangeSet, after message: WireMessage
  ) throws(FullUpdateReason) {
    var larger = size
    larger.add(more)
    larger.add(diff: message.json.text.utf8.count, mergedInto: rendered)
    larger.document = size.document.changed(by: changes, in: document)
    if larger.isExcessive { throw .tooLarge }
    size = larger
  }

  /// Applies the change set, and links the tree to the new nodes.
  ///
  /// - Parameter hidden: gets the components that are no longer shown.
  /// - Returns: the streams whose entries only the document keeps from now on; `nil` if there are
  ///   none.
  private mutating func carryOut(
    _ changeSet: ChangeSet, _ result: ScopedUpdate.Result, of merge: Rendered.Merge, hiding hidden: inout Set<Int>
  ) -> ForgottenStreams? {
    // The sites of hidden components are removed: the tree keeps such a component until the server
    // destroys it, and meanwhile its former nodes can become nodes of another instance.
    hidden = document.apply(changeSet, replacingMarksOf: result.marked, with: result.marks)
    for cid in hidden { rendered.components[cid]?.site = nil }
    leftovers = []
    for region in result.parsed {
      if rendered.relink(region, &templates, in: document),
        let more = region.leftovers(in: document, client: client)
      {
        leftovers?.formUnion(more)
      } else {
        leftovers = nil
      }
    }
    if templates.isOverfull { leftovers = nil }
    return result.hasStreams ? rendered.forgetStreamEntries(of: merge, shownIn: result.shown) : nil
  }
}
