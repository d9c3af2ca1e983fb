public import MarkupDocument
internal import MirrorSupport

/// Holds a document that the caller updates with new markup, and notifies the subscribers of the
/// nodes that changed. Programs with documents of their own use it. The coordinator of a mirrored
/// LiveView is a `LiveViewCoordinator`.
///
/// ```swift
/// let coordinator = DocumentCoordinator(markup: "<p>1</p>", dialect: .html)
/// let changes = coordinator.update(markup: "<p>2</p>")
/// print(changes.changes.count)   // 1
/// ```
///
/// One update is made at a time, in the order of the calls. The document can be read at any moment,
/// and a reader sees complete versions only. Subscribers are called on the updating thread, after
/// the new version has become readable. An update that a subscriber requests is deferred until all
/// subscribers have been notified, see ``Publication``.
public final class DocumentCoordinator: NodeCoordinator {
  /// The subscribers of each node.
  public let publishers = NodePublishers()
  /// The dialect in which the markup is read and written.
  public let dialect: Dialect

  private let turn = UpdateTurn()
  private let state: Guarded<State>

  private struct State: Sendable {
    var document: Document
    var refused: PublicationCycle?
  }

  /// Creates a coordinator with a document of epoch 1.
  ///
  /// - Complexity: O(*markup*).
  public init(markup: String, dialect: Dialect) {
    self.dialect = dialect
    state = Guarded(State(document: Document(markup: markup, dialect: dialect)))
  }

  // MARK: - Reading

  /// The present document. While the caller keeps this value, the next update copies the storage
  /// that it changes.
  public var document: Document { state.withLock { $0.document } }

  /// Passes the present document to `body`. The result is never `nil`.
  ///
  /// Updates wait until `body` has returned. Keep `body` short, and do not update the document in
  /// it.
  public func reading<Result>(_ body: (Document) -> Result) -> Result? {
    state.withLock { body($0.document) }
  }

  /// The error of the last update that was refused, because subscribers kept triggering updates
  /// without end; `nil` if no update was refused.
  public var refused: PublicationCycle? { state.withLock { $0.refused } }

  // MARK: - Updating

  /// Changes the document to match `markup`, and notifies the subscribers of the nodes that
  /// changed.
  ///
  /// - Returns: the changes. A call from a subscriber is deferred and returns an empty change set.
  /// - Complexity: O(*n* log *n*) for *n* nodes.
  @discardableResult
  public func update(markup: String) -> ChangeSet {
    inTurn("update of the document") { self.commit(markup) } ?? ChangeSet()
  }

  /// Applies a change set that was computed elsewhere, and notifies the subscribers of the nodes
  /// that changed. A call from a subscriber is deferred.
  ///
  /// The change set must be computed from the version of the document that is present when it is
  /// applied.
  ///
  /// - Complexity: O(*changes* + *nodes added and removed*).
  public func apply(_ changeSet: ChangeSet) {
    _ = inTurn("changes of the document") { self.commit(changeSet) }
  }

  /// Replaces the document. The epoch grows by one, all subscribers of nodes receive their last
  /// signal, and all nodes have new references. A call from a subscriber is deferred.
  ///
  /// - Complexity: O(*markup* + *subscribers*).
  public func replace(markup: String) {
    _ = inTurn("replacement of the document") { self.commitReplacement(markup) }
  }

  /// Updates the document when the publication that runs on this thread has ended, or at once if
  /// there is no publication.
  ///
  /// - Throws: ``PublicationCycle`` if deferred work keeps deferring more work, see
  ///   ``Publication/afterwards(_:_:)``.
  public func enqueue(markup: String) throws(PublicationCycle) {
    try Publication.afterwards("update of the document") { self.update(markup: markup) }
  }

  /// Runs `work` in a turn of ``UpdateTurn``. If this thread is calling a subscriber, or if the
  /// turn is refused, the work is deferred to the end of the publication, and the result is `nil`.
  private func inTurn<Result>(_ label: String, _ work: @escaping () -> Result) -> Result? {
    if ThreadContext.current.pointee.deliveries == 0 {
      do throws(UpdateTurn.Refusal) {
        return try turn.take(orElse: { $0 }, { () throws(UpdateTurn.Refusal) in work() })
      } catch {
        // The work is deferred below, like a call from a subscriber.
      }
    }
    do throws(PublicationCycle) {
      try Publication.afterwards(label) { _ = self.inTurn(label, work) }
    } catch {
      state.withLock { $0.refused = error }
    }
    return nil
  }

  // MARK: - Committing

  private func commit(_ markup: String) -> ChangeSet {
    // Only this line uses the value of `document`. It is released before `publish` changes the
    // stored document, so copy-on-write copies nothing.
    let morph = document.morph(to: markup)
    return publish(morph.changes, marks: morph.marks)
  }

  private func commit(_ changeSet: ChangeSet) { _ = publish(changeSet, marks: nil) }

  private func publish(_ changeSet: ChangeSet, marks: Marks?) -> ChangeSet {
    let notified = state.withLock { state in
      state.document.apply(changeSet, marks: marks)
      return changeSet.notified(in: state.document)
    }
    publishers.publish(changeSet, notified: notified)
    return changeSet
  }

  private func commitReplacement(_ markup: String) {
    let epoch = document.epoch + 1
    let new = Document(markup: markup, dialect: dialect, epoch: epoch)
    state.withLock { $0.document = new }
    publishers.publish(ChangeSet(), notified: [], replacing: epoch)
  }
}
