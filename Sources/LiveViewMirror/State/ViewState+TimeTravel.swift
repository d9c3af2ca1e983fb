package import MarkupDocument
package import RenderedTree

/// Earlier versions: requests with `?version=`, comparisons and the steps of an update rebuild them
/// from the ``Checkpoint``. An eviction advances the checkpoint.
///
/// A rebuilt version equals the one that was committed, because the change sets and inputs are the
/// same.
extension ViewState {
  /// The oldest version that is kept. The newest version is always kept.
  package var firstVersion: Int { min(version, (checkpoint?.version ?? -1) + 1) }

  /// The page title of a version: the last title that an update up to this version has set; `nil`
  /// if no kept record has a title.
  ///
  /// - Complexity: O(*versions since then*); O(1) for the newest version.
  package func title(at version: Int) -> String? {
    if version >= self.version || title == nil { return title }
    return stride(from: version, through: firstVersion, by: -1).lazy.compactMap { log.record(of: $0)?.title }.first
  }

  private func isKept(_ version: Int) -> Bool { version >= firstVersion && version <= self.version }

  /// The document of a version, rebuilt by applying the change sets from the checkpoint on.
  ///
  /// - Returns: `nil` for a version that does not exist yet or is not kept any more.
  /// - Complexity: O(*changes of all kept versions up to this one*), plus O(*nodes*) if the
  ///   checkpoint must be copied.
  package func document(at version: Int) -> Document? {
    if version == self.version { return document }
    guard isKept(version) else { return nil }
    var past = beginning
    changeDocument(of: &past, through: version)
    return past.document
  }

  /// The merged tree of a version, rebuilt by merging the inputs from the checkpoint on.
  ///
  /// - Returns: `nil` for a version that does not exist yet or is not kept any more.
  /// - Complexity: O(*bytes of all kept inputs up to this version*).
  package func rendered(at version: Int) -> Rendered? {
    if version == self.version { return rendered }
    guard isKept(version) else { return nil }
    var past = beginning
    mergeInputs(through: version, into: &past)
    return past.rendered
  }

  private func changeDocument(of past: inout Checkpoint, through version: Int) {
    for entry in entries(through: version) { if let record = entry.record { past.change(by: record.changeSet) } }
  }

  private func mergeInputs(through version: Int, into past: inout Checkpoint) {
    let decoder = WireDecoder()
    for entry in entries(through: version) {
      if let record = entry.record { past.merge(record, with: decoder) }
      past.destroy(entry.destroyed)
    }
  }

  private func entries(through version: Int) -> some Sequence<ChangeLog.Entry> {
    log.entries.lazy.prefix { $0.cursor.version <= version }
  }

  /// The tree of a version before it forgot the entries of streams, and the document before that
  /// version.
  ///
  /// - Returns: `nil` for a version that is not kept. The document is `nil` for the mount.
  /// - Complexity: that of ``document(at:)`` and ``rendered(at:)``.
  package func beginning(of version: Int) -> (tree: Rendered, before: Document?)? {
    guard isKept(version), let record = log.record(of: version) else { return nil }
    var past = beginning
    mergeInputs(through: version - 1, into: &past)
    past.merge(record, with: WireDecoder(), keepsEntries: true)
    changeDocument(of: &past, through: version - 1)
    return past.rendered.map { ($0, version == 0 ? nil : past.document) }
  }

  private var beginning: Checkpoint {
    checkpoint ?? Checkpoint(dialect: document.dialect, epoch: document.epoch)
  }

  // MARK: - Eviction

  /// Evicts the oldest entries of the log if it exceeds its bounds. The document and the tree after
  /// them are kept as the ``Checkpoint``, from which every later version is rebuilt.
  ///
  /// Evicting an entry takes the same work as applying it, without rendering and comparing. A log
  /// within its bounds costs nothing.
  ///
  /// - Returns: the number of evicted entries.
  /// - Complexity: O(1) within the bounds, otherwise O(*changes and bytes of the evicted entries*).
  ///   The first eviction also copies the page, as does every eviction while a copy of an earlier
  ///   state exists.
  @discardableResult
  mutating func trimLog() -> Int { evict(entries: log.excess(over: bounds)) }

  /// Evicts the oldest entries of the log, as ``trimLog()`` does, until at least `bytes` are freed
  /// or only the newest entry is left.
  ///
  /// - Returns: the number of evicted entries.
  /// - Complexity: O(*changes and bytes of the evicted entries*), plus O(*nodes*) as for
  ///   ``trimLog()``.
  mutating func evictEntries(bytes: Int) -> Int { evict(entries: log.entries(toFree: bytes)) }

  /// Evicts a number of the oldest entries of the log.
  ///
  /// - Returns: the number of evicted entries.
  mutating func evict(entries count: Int) -> Int {
    if count == 0 { return 0 }
    var past = beginning
    // Gives up the other reference to the checkpoint, so that it is changed in place and not
    // copied.
    checkpoint = nil
    let decoder = WireDecoder()
    for entry in log.entries.prefix(count) { past.apply(entry, with: decoder) }
    checkpoint = past
    log.removeFirst(count)
    return count
  }
}
