public import MarkupDocument

/// Holds a document that somebody else feeds, markup by markup, and tells those whose nodes changed.
///
/// ```swift
/// let coordinator = DocumentCoordinator(markup: "<p>1</p>", dialect: .html)
/// let changes = coordinator.update(markup: "<p>2</p>")
/// print(changes.changes.count)   // 1
/// ```
///
/// Updates come one at a time, in the order of their calls; reading is possible at any moment and sees whole versions
/// only. Subscribers are called on the updating thread, when the new version can be read. An update from inside of one
/// is put off until all have been told, see ``Publication``.
public final class DocumentCoordinator: NodeCoordinator {
  /// Who listens to which node.
  public let publishers = NodePublishers()
  /// How its markup is read and written.
  public let dialect: Dialect

  private let turn = UpdateTurn()
  private let state: Guarded<State>

  private struct State: Sendable {
    var document: Document
    var refused: PublicationCycle?
  }

  /// Begins with a document of epoch 1.
  ///
  /// - Complexity: O(*markup*).
  public init(markup: String, dialect: Dialect) {
    self.dialect = dialect
    state = Guarded(State(document: Self.document(of: markup, dialect: dialect, epoch: 1)))
  }

  // MARK: - Reading

  /// The document as it is now. While you keep it, the next update copies what it changes.
  public var document: Document { state.withLock { $0.document } }

  /// Looks at the document as it is now; never `nil`.
  ///
  /// Updates wait until `body` has returned: do not update in there, and be short.
  public func reading<Result>(_ body: (Document) -> Result) -> Result? {
    state.withLock { body($0.document) }
  }

  /// The last update from inside of a subscriber that was not made, since it would have caused itself for ever.
  public var refused: PublicationCycle? { state.withLock { $0.refused } }

  // MARK: - Feeding

  /// Makes the document what `markup` says, and tells whom that concerns.
  ///
  /// - Returns: what changed; nothing, if this was called by a subscriber: it is put off then.
  /// - Complexity: O(*n* log *n*) for *n* nodes.
  @discardableResult
  public func update(markup: String) -> ChangeSet {
    inTurn("update of the document") { self.commit(markup) } ?? ChangeSet()
  }

  /// Applies changes that were computed elsewhere, from the present version of the document, and tells whom they
  /// concern. Called by a subscriber, it is put off: the version must be the one that is present then.
  ///
  /// - Complexity: O(*changes* + *nodes added and removed*).
  public func apply(_ changeSet: ChangeSet) {
    _ = inTurn("changes of the document") { self.commit(changeSet) }
  }

  /// Puts another document in the place of this one: the epoch grows by one, every publisher finishes, nodes get new
  /// names. Called by a subscriber, it is put off.
  ///
  /// - Complexity: O(*markup* + *subscribers*).
  public func replace(markup: String) {
    _ = inTurn("replacement of the document") { self.commitReplacement(markup) }
  }

  /// Makes an update when the publication that runs on this thread has ended; at once where none runs.
  ///
  /// - Throws: where the update was put off by one that was put off by one …, see ``Publication/afterwards(_:_:)``.
  public func enqueue(markup: String) throws(PublicationCycle) {
    try Publication.afterwards("update of the document") { self.update(markup: markup) }
  }

  private func inTurn<Result>(_ label: String, _ work: @escaping () -> Result) -> Result? {
    if ThreadContext.current.pointee.deliveries == 0 {
      do throws(UpdateTurn.Refusal) {
        return try turn.take(orElse: { $0 }, { () throws(UpdateTurn.Refusal) in work() })
      } catch {
        // Put off, as from a delivery.
      }
    }
    do throws(PublicationCycle) {
      try Publication.afterwards(label) { _ = self.inTurn(label, work) }
    } catch {
      state.withLock { $0.refused = error }
    }
    return nil
  }

  // MARK: - In turn

  private func commit(_ markup: String) -> ChangeSet {
    let page = Page(parsing: Array(markup.utf8), dialect: dialect)
    // The version that this looks at is let go of before it is changed, so that nothing is copied.
    let morph = Morph.changes(from: document, to: page)
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
    let new = Self.document(of: markup, dialect: dialect, epoch: epoch)
    state.withLock { $0.document = new }
    publishers.publish(ChangeSet(), notified: [], replacing: epoch)
  }

  private static func document(of markup: String, dialect: Dialect, epoch: Int) -> Document {
    var document = Document(dialect: dialect, epoch: epoch)
    let morph = Morph.changes(from: document, to: Page(parsing: Array(markup.utf8), dialect: dialect))
    document.apply(morph.changes, marks: morph.marks)
    return document
  }
}
