internal import MirrorSupport

/// The values that a body or the closure of ``observe(_:isolation:_:)`` has read. Calls a handler
/// when one of them becomes different.
///
/// Each read has two steps while the closure runs. ``follow(_:_:)`` adds the source before the
/// value is read, so no change is missed. ``note(_:_:because:isSame:)`` then records the value that
/// was read. When a run ends, sources that it did not read are removed. A closure that runs a
/// million times is therefore registered only once in each source.
///
/// Only one thread at a time runs the closure. Signals may come from any thread, so a lock guards
/// the state.
package final class Reader: @unchecked Sendable {
  /// Called outside of the reader's lock if a recorded value differs, and if a source ends.
  package typealias Handler =
    @Sendable (_ key: ReadKey, _ reason: EvaluationReason, _ isEnd: Bool) throws(PublicationCycle) -> Void

  /// One part of a source that was read.
  private struct Read {
    let reason: EvaluationReason
    /// Compares the present value with the value that was read.
    let isSame: () -> Bool
  }

  private struct Dependency {
    let source: any ReadSource
    /// The number of the last run that read the source.
    var round: Int
    var reads: [ReadPart: Read] = [:]
    /// The last signal since the last call of ``note(_:_:because:isSame:)``.
    var signalled: Signalled?
  }

  private enum Signalled { case changed, ended }

  private struct State {
    var dependencies: [ReadKey: Dependency] = [:]
    /// Counts the runs.
    var round = 0
    var isEnded = false
  }

  private let state = Guarded(State())
  private let handler: Handler
  /// Whether reads of a view's `State` are tracked. Readers of views do not need that: the view
  /// tree tracks its states itself.
  package let readsStates: Bool

  /// A reader without sources.
  ///
  /// - Parameters:
  ///   - readsStates: see ``readsStates``.
  ///   - handler: called when a recorded value differs or a source ends.
  package init(readsStates: Bool = true, _ handler: @escaping Handler) {
    self.readsStates = readsStates
    self.handler = handler
  }

  /// The number of sources that are tracked.
  package var count: Int { state.withLock { $0.dependencies.count } }

  // MARK: - Running

  /// The reader that records the reads of this thread, created if the owner has none yet; `nil` if
  /// reads are not tracked.
  package static var current: Reader? {
    guard let owner = ThreadContext.current.pointee.owner else { return nil }
    return owner.existingReader ?? owner.makeReader()
  }

  /// Runs `body` and records what it reads. Afterwards the sources that it did not read are
  /// removed.
  package static func track<Result>(for owner: any ReaderOwner, _ body: () -> Result) -> Result {
    let context = ThreadContext.current
    let outer = context.pointee.owner
    owner.existingReader?.begin()
    context.pointee.owner = owner
    defer {
      context.pointee.owner = outer
      owner.existingReader?.dropUnread()
    }
    return body()
  }

  /// Runs `body` without recording what it reads.
  package static func untracked<Result>(_ body: () -> Result) -> Result {
    let context = ThreadContext.current
    let outer = context.pointee.owner
    context.pointee.owner = nil
    defer { context.pointee.owner = outer }
    return body()
  }

  private func begin() { state.withLock { $0.round += 1 } }

  private func dropUnread() { release { $0.round < $1.round || $1.isEnded } }

  /// Removes all sources. Later reads are not recorded.
  package func end() {
    state.withLock { $0.isEnded = true }
    release { _, _ in true }
  }

  /// - Complexity: O(*sources*).
  private func release(where isGone: (Dependency, State) -> Bool) {
    let released = state.withLock { state in
      let keys = state.dependencies.filter { isGone($0.value, state) }.keys
      return keys.compactMap { key in
        let dependency = state.dependencies.removeValue(forKey: key)
        dependency?.source.remove(self)
        return dependency
      }
    }
    // Releasing a source may run deinitialisers that take locks, so it happens outside of the lock.
    withExtendedLifetime(released) {}
  }

  // MARK: - Reading

  /// The first step of a read: from now on the source notifies the reader of changes.
  ///
  /// - Parameter source: called, under the lock, only if the key is not yet tracked.
  package func follow(_ key: ReadKey, _ source: () -> any ReadSource) {
    state.withLock { state in
      guard !state.isEnded, state.dependencies[key] == nil else { return }
      let source = source()
      state.dependencies[key] = Dependency(source: source, round: state.round)
      source.add(self)
    }
  }

  /// The second step of a read: records the value that was read.
  ///
  /// If one run reads the same part several times, only the first read is recorded, so a change
  /// between two reads is noticed. A signal that arrived between the read and this call had no
  /// recorded value to compare with. Such a signal is checked here.
  ///
  /// - Parameters:
  ///   - key: the source.
  ///   - part: the part of the source that was read.
  ///   - reason: passed to the handler if the value differs later.
  ///   - isSame: compares the present value with the value that was read.
  package func note(_ key: ReadKey, _ part: ReadPart, because reason: EvaluationReason, isSame: @escaping () -> Bool) {
    let old = state.withLock { state -> Dependency? in
      let round = state.round
      guard var dependency = state.dependencies[key] else { return nil }
      let old = dependency
      if dependency.round < round { (dependency.round, dependency.reads) = (round, [:]) }
      if dependency.reads[part] == nil { dependency.reads[part] = Read(reason: reason, isSame: isSame) }
      dependency.signalled = nil
      state.dependencies[key] = dependency
      return old
    }
    guard let signalled = old?.signalled, signalled == .ended || !isSame() else { return }
    // The handler has stored the error.
    try? handler(key, reason, signalled == .ended)
  }

  /// Removes a source that will send no signals. Called instead of ``note(_:_:because:isSame:)``
  /// for a node that is not in the document.
  package func forget(_ key: ReadKey) {
    let released = state.withLock { state in
      let dependency = state.dependencies.removeValue(forKey: key)
      dependency?.source.remove(self)
      return dependency
    }
    withExtendedLifetime(released) {}
  }

  // MARK: - Signals

  /// Called by a source that has changed or ended. Calls the handler if a recorded value of the
  /// source differs or if the source has ended.
  ///
  /// - Throws: the error of the handler.
  package func signal(_ key: ReadKey, isEnd: Bool = false) throws(PublicationCycle) {
    let reads = state.withLock { state in
      state.dependencies[key]?.signalled = isEnd ? .ended : .changed
      return state.dependencies[key]?.reads
    }
    guard let reads, let read = reads.values.first(where: { isEnd || !$0.isSame() }) else { return }
    try handler(key, read.reason, isEnd)
  }

  /// Whether any recorded value of the given sources differs from its present value.
  ///
  /// - Complexity: O(*recorded values of these sources*).
  package func differs(in keys: Set<ReadKey>) -> Bool {
    let reads = state.withLock { state in keys.compactMap { state.dependencies[$0]?.reads } }
    return reads.contains { $0.values.contains { !$0.isSame() } }
  }
}

/// The owner of a closure whose reads are tracked. Most views read nothing that has to be tracked,
/// so an owner creates its reader at the first tracked read.
package protocol ReaderOwner: AnyObject {
  /// The reader, if it was created.
  var existingReader: Reader? { get }
  /// Creates and stores the reader. Called only while ``existingReader`` is `nil`.
  ///
  /// - Returns: `nil` if reads are not tracked.
  func makeReader() -> Reader?
}
