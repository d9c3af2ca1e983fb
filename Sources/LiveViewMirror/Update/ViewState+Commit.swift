internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// The last steps of every update. They cannot fail. A mount and each ``FullUpdate`` of a diff are
/// committed here. A scoped update has already changed the tree and the document, so it only calls
/// ``finish(_:)``.
extension ViewState {
  /// Applies a full update.
  ///
  /// - Returns: the record of the new version, which is in the log now. The coordinator completes
  ///   it when its subscribers have been notified.
  mutating func commit(_ update: FullUpdate) -> ChangeRecord {
    var hidden: Set<Int> = []
    switch update.content {
    case .apply(let marks):
      hidden = document.apply(update.prepared.changeSet, marks: marks)
      if let page = update.page { document.setOffsets(from: page.tree, of: page.refs) }
    case .replace(let document): self.document = document
    }
    rendered = update.rendered
    templates = update.templates
    leftovers = update.leftovers
    isStale = update.isStale
    hasOffsets = update.page != nil
    size = update.size
    var prepared = update.prepared
    prepared.hidden = hidden
    return finish(prepared)
  }

  /// Completes the next version, after an update has changed the tree and the document: follows the
  /// changes in the subscriber table, runs the analyses and appends the record to the log.
  mutating func finish(_ update: PreparedUpdate) -> ChangeRecord {
    var (watch, timings) = (Stopwatch(), update.timings)
    let finished = observers.follow(update.changeSet)
    let notified = update.changeSet.notified(in: document)
    timings.publish = watch.lap()
    version += 1
    let notes = log.analyse(update, making: version, of: rendered, document)
    let record = record(of: update, notified: notified, finished: finished, noting: notes, timings: timings)
    log.append(record)
    return record
  }
}
