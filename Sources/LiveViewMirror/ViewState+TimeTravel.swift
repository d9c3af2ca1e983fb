package import MarkupDocument
package import RenderedTree

extension ViewState {
  /// The oldest version that can be looked at. The newest always can.
  package var firstVersion: Int { min(version, (checkpoint?.version ?? -1) + 1) }

  private func isKept(_ version: Int) -> Bool { version >= firstVersion && version <= self.version }

  /// The document as it was: the change sets applied again, from the checkpoint or the empty document on.
  ///
  /// - Returns: `nil` for a version that there is not yet, or that is not kept any more.
  /// - Complexity: O(*changes of all kept versions up to this one*), and of the page where it has to be copied.
  package func document(at version: Int) -> Document? {
    if version == self.version { return document }
    guard isKept(version) else { return nil }
    var past = beginning
    for changeSet in log.changeSets(through: version) { past.apply(changeSet) }
    return past.document
  }

  /// The merged tree as it was: made again of what it was fed.
  ///
  /// - Returns: `nil` for a version that there is not yet, or that is not kept any more.
  /// - Complexity: O(*bytes of all kept inputs up to this version*).
  package func rendered(at version: Int) -> Rendered? {
    if version == self.version { return rendered }
    guard isKept(version) else { return nil }
    let decoder = WireDecoder()
    var past = beginning
    var reached = past.version
    for input in history {
      if input.isVersion {
        if reached == version { break }
        reached += 1
      }
      past.merge(input, with: decoder)
    }
    return past.rendered
  }

  private var beginning: Checkpoint {
    checkpoint ?? Checkpoint(dialect: document.dialect, epoch: document.epoch)
  }

  // MARK: - Letting go

  /// Lets the oldest entries of the log go where there are more than are kept: what they made is kept once, as the
  /// checkpoint that every later version is made from.
  ///
  /// The same work as when they came, without rendering and comparing: so much is added to what an entry costs, and
  /// nothing while a log is within its bounds.
  ///
  /// - Returns: how many went.
  /// - Complexity: O(1) within the bounds, else O(*changes and bytes of what goes*); the first time, and while somebody
  ///   holds the state before, that of the page besides.
  @discardableResult
  mutating func trimLog() -> Int {
    let count = log.excess(over: bounds)
    if count == 0 { return 0 }
    var past = beginning
    // Nobody else holds it then, and it changes in place.
    checkpoint = nil
    let decoder = WireDecoder()
    var taken = 0
    for changeSet in log.firstChangeSets(ofEntries: count) {
      past.apply(changeSet)
      for input in history.dropFirst(taken) {
        past.merge(input, with: decoder)
        taken += 1
        if input.isVersion { break }
      }
    }
    checkpoint = past
    history.removeFirst(taken)
    log.removeFirst(count)
    return count
  }
}
