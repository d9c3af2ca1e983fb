// Makes documents from markup, and writes them as markup. `DocumentCoordinator` uses these methods,
// and so do programs without a mirror.

extension Document {
  /// Parses markup into a document.
  ///
  /// ```swift
  /// var document = Document(markup: "<p>1</p>", dialect: .html)
  /// let changes = document.changes(to: "<p>2</p>")
  /// document.apply(changes)
  /// print(changes.changes.count, document.markup)   // 1 <p>2</p>
  /// ```
  ///
  /// - Parameters:
  ///   - markup: the markup. Faults are repaired as a browser does.
  ///   - dialect: the dialect in which markup is read and written.
  ///   - epoch: the number of the view's mount that the document belongs to, see ``NodeRef``.
  /// - Complexity: O(*markup*).
  public init(markup: String, dialect: Dialect, epoch: Int = 1) {
    self.init(dialect: dialect, epoch: epoch)
    update(markup: markup)
  }

  /// The changes that make the document match `markup`, by the rules of LiveView's client: an
  /// element of the document is paired with the element of `markup` that has its `id`, or else with
  /// one of the same tag at its place, and keeps its node reference.
  ///
  /// - Complexity: O(*n* log *n*) for *n* nodes.
  public func changes(to markup: String) -> ChangeSet { morph(to: markup).changes }

  /// Carries out a change set that was computed from exactly this version.
  ///
  /// - Complexity: O(*changes* + *nodes added and removed*).
  public mutating func apply(_ changeSet: ChangeSet) { _ = apply(changeSet, marks: nil) }

  /// Makes the document match `markup`.
  ///
  /// - Returns: the changes, which have already been applied.
  /// - Complexity: O(*n* log *n*) for *n* nodes.
  @discardableResult
  public mutating func update(markup: String) -> ChangeSet {
    let (changes, marks) = morph(to: markup)
    apply(changes, marks: marks)
    return changes
  }

  /// The changes that make the document match `markup`, and the marks of the nodes afterwards.
  package func morph(to markup: String) -> (changes: ChangeSet, marks: Marks) {
    let morph = Morph.changes(from: self, to: Page(parsing: Array(markup.utf8), dialect: dialect))
    return (morph.changes, morph.marks)
  }

  /// The markup of the document.
  ///
  /// - Complexity: O(*markup*).
  public var markup: String { markup(of: root) }
}
