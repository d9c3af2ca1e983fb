internal import NodeObservation

/// Tracks the sources that a body reads. A change of a source invalidates the view.
extension ViewNode: ReaderOwner {
  func makeReader() -> Reader? {
    let reader = Reader(readsStates: false) { [weak self] _, reason, _ throws(PublicationCycle) in
      guard let self else { return }
      self.tree?.invalidate(self, because: reason)
    }
    existingReader = reader
    return reader
  }

  /// Evaluates a body and records its reads of shared values, `@Observable` objects, elements, and properties of `@Observable`
  /// objects.
  func tracking(_ body: () -> Void) {
    // A copy, because the body may end this view: `stopReading()` then modifies `observables` during the call.
    let reads = observables
    if Reader.track(for: self, { reads.track(body) { [weak self] in self?.observableChanges() } }) {
      observables.addWire()
    }
  }

  /// Called by Observation before an object changes.
  ///
  /// If another thread changes the object while a body reads it, the body may read the old value, and the view is not
  /// invalidated. Therefore `@Observable` objects must only be changed on the thread that evaluates views.
  fileprivate func observableChanges() { tree?.invalidate(self, because: .object("Observable"), later: true) }

  /// Ends all tracking of the view's reads.
  func stopReading() {
    existingReader?.end()
    existingReader = nil
    observables.stop()
  }
}
