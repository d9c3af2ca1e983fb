internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

extension ViewState {
  /// Step eight: what the update did, as the log keeps it.
  mutating func record(
    of update: PreparedUpdate, notified: [NodeRef], finished: Int, timings: ChangeRecord.Timings
  ) -> ChangeRecord {
    title = update.diff.title ?? title
    updatedAt = wallClock()
    document.keepDuplicateIDs()
    let publishers = observers.publishers
    let told = publishers.total(of: notified)
    let everybody =
      observers.count + publishers.besideMounted(after: update.changeSet, replacing: version == 0 ? epoch : nil)
    return ChangeRecord(
      view: id, epoch: epoch, version: version, at: updatedAt, bytes: update.json.text.utf8.count,
      nodes: document.count, changeSet: update.changeSet,
      slots: update.causes?.slots ?? update.changeSet.changes.map { _ in [] },
      parentNames: update.changeSet.parentNames(in: document), notified: notified,
      observers: told, allObservers: observers.count, finished: finished,
      isolation: IsolationReport(
        of: update.changeSet, notified: notified, selective: told, everybody: everybody, publishers: publishers),
      waste: update.causes?.waste ?? .init(bytes: 0, slots: []), path: update.path,
      timings: timings,
      diagnostics: update.differences
        + update.diagnostics.map {
          DocumentDiagnostic($0, in: update.path == .scoped ? "the part that was read" : "the page")
        } + document.duplicateIDs(),
      events: update.diff.events?.text, title: update.diff.title, reply: update.diff.reply?.text,
      input: update.json.text)
  }
}
