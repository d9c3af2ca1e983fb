internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import RenderedTree

extension ViewState {
  /// Makes the record of an update, and stores the new title and time. ``finish(_:)`` calls it once
  /// for each version, after the tree, the document and the version have changed.
  ///
  /// - Parameters:
  ///   - finished: the number of publishers that ended because their nodes were removed.
  ///   - notes: what the analyses add to the record.
  mutating func record(
    of update: PreparedUpdate, notified: [NodeRef], finished: Int, noting notes: UpdateNotes,
    timings: ChangeRecord.Timings
  ) -> ChangeRecord {
    var extras = notes.extras
    if let title = extras.title { self.title = title }
    extras.resentLists = update.causes.map { ResentList.lists(of: $0.touched) } ?? []
    updatedAt = clock.now()
    document.keepDuplicateIDs()
    let publishers = observers.publishers
    let selective = publishers.total(of: notified)
    // This count is preliminary. After the publication, `ChangeRecord.recount(everybody:)` replaces
    // it.
    let everybody = publishers.sums.all
    let facts = ChangeRecord.Facts(
      view: id, epoch: epoch, version: version, at: update.at ?? updatedAt, nodeCount: document.count,
      changeSet: update.changeSet,
      slots: update.causes?.slots ?? update.changeSet.changes.map { _ in [] },
      displayNames: update.changeSet.displayNames(in: document), notified: notified,
      observerCount: selective, allObserverCount: everybody, finished: finished,
      waste: update.causes?.waste ?? .init(bytes: 0, slots: []), slotCosts: notes.slotCosts,
      extras: extras.isEmpty ? [] : [extras], input: update.json.text, effect: update.effect,
      readsWholePage: update.readsWholePage)
    return ChangeRecord(
      facts,
      isolation: IsolationReport(
        of: update.changeSet, notified: notified, selective: selective, everybody: everybody, publishers: publishers),
      path: update.path, timings: timings,
      diagnostics: notes.diagnostics + diagnostics(of: update))
  }

  private func diagnostics(of update: PreparedUpdate) -> [DocumentDiagnostic] {
    var diagnostics = update.notes
    let source = if case .scoped = update.path { "the part that was read" } else { "the page" }
    for (position, diagnostic) in update.diagnostics.enumerated() {
      let node = update.diagnosed.isEmpty ? nil : update.diagnosed[position]
      diagnostics.append(DocumentDiagnostic(diagnostic, in: source, at: node.flatMap(document.locatedNode(of:))))
    }
    if document.hasDuplicateIDs { diagnostics += document.duplicateIDs() }
    return diagnostics
  }
}
