/// What a body or the closure of ``observe(_:_:)`` has read, and who is told when something of it differs.
///
/// While the closure runs, whatever it reads adds itself here: the source first, so that no change is missed, then the
/// value that was seen. What one run does not read any more is let go of when it ends, so a closure that runs a million
/// times stands in each source once.
///
/// One thread at a time runs the closure; signals come from any.
final class Reader: @unchecked Sendable {
  /// Called with what differs, outside of every lock; at the end of a source, whatever was read of it.
  typealias Handler =
    @Sendable (_ key: ReadKey, _ reason: EvaluationReason, _ isEnd: Bool) throws(PublicationCycle) -> Void

  /// One thing that was read.
  private struct Read {
    let reason: EvaluationReason
    /// Whether it is still what was seen.
    let isSame: () -> Bool
  }

  private struct Dependency {
    let source: any ReadSource
    var round: Int
    var reads: [ReadPart: Read] = [:]
    /// What it was told by since something was noted last.
    var signalled: Signalled?
  }

  private enum Signalled { case changed, ended }

  private struct State {
    var dependencies: [ReadKey: Dependency] = [:]
    var round = 0
    var isEnded = false
  }

  private let state = Guarded(State())
  private let handler: Handler
  /// Whether it wants to know of the states of views: their own trees see to those.
  let readsStates: Bool

  init(readsStates: Bool = true, _ handler: @escaping Handler) {
    self.readsStates = readsStates
    self.handler = handler
  }

  /// How many sources it is told by.
  var count: Int { state.withLock { $0.dependencies.count } }

  // MARK: - Running

  /// Whoever runs on this thread now and wants to know what is read.
  static var current: Reader? {
    guard let owner = ThreadContext.current.pointee.owner else { return nil }
    return owner.existingReader ?? owner.makeReader()
  }

  /// Runs `body` and notes what it reads.
  static func track<Result>(for owner: any ReaderOwner, _ body: () -> Result) -> Result {
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

  /// Runs `body` so that nobody notes what it reads.
  static func untracked<Result>(_ body: () -> Result) -> Result {
    let context = ThreadContext.current
    let outer = context.pointee.owner
    context.pointee.owner = nil
    defer { context.pointee.owner = outer }
    return body()
  }

  private func begin() { state.withLock { $0.round += 1 } }

  private func dropUnread() { release { $0.round < $1.round || $1.isEnded } }

  /// Lets go of everything. What is read from now on is not noted.
  func end() {
    state.withLock { $0.isEnded = true }
    release { _, _ in true }
  }

  /// - Complexity: O(*sources*).
  private func release(where isGone: (Dependency, State) -> Bool) {
    let gone = state.withLock { state in
      let keys = state.dependencies.filter { isGone($0.value, state) }.keys
      return keys.compactMap { key in
        let dependency = state.dependencies.removeValue(forKey: key)
        dependency?.source.remove(self)
        return dependency
      }
    }
    // What is dropped may end others: outside of the lock.
    withExtendedLifetime(gone) {}
  }

  // MARK: - Reading

  /// The first step of a read: from here on the reader is told when the source differs.
  func follow(_ key: ReadKey, _ source: () -> any ReadSource) {
    state.withLock { state in
      guard !state.isEnded, state.dependencies[key] == nil else { return }
      let source = source()
      state.dependencies[key] = Dependency(source: source, round: state.round)
      source.add(self)
    }
  }

  /// The second step: what was seen. Of several looks in one run the first counts, so a change between them is noticed.
  ///
  /// A signal that came after the look and before this found nothing to compare with: so it is looked at again.
  func note(_ key: ReadKey, _ part: ReadPart, because reason: EvaluationReason, isSame: @escaping () -> Bool) {
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
    // Noted by the handler.
    try? handler(key, reason, signalled == .ended)
  }

  /// Nothing comes from a source any more, and there is nothing to come.
  func forget(_ key: ReadKey) {
    let gone = state.withLock { state in
      let dependency = state.dependencies.removeValue(forKey: key)
      dependency?.source.remove(self)
      return dependency
    }
    withExtendedLifetime(gone) {}
  }

  // MARK: - Signals

  /// A source differs, or has ended.
  func signal(_ key: ReadKey, isEnd: Bool = false) throws(PublicationCycle) {
    let reads = state.withLock { state in
      state.dependencies[key]?.signalled = isEnd ? .ended : .changed
      return state.dependencies[key]?.reads
    }
    guard let reads, let read = reads.values.first(where: { isEnd || !$0.isSame() }) else { return }
    try handler(key, read.reason, isEnd)
  }

  /// Whether anything that was read of some sources is not any more what it was.
  ///
  /// - Complexity: O(*what was read of them*).
  func differs(in keys: Set<ReadKey>) -> Bool {
    let reads = state.withLock { state in keys.compactMap { state.dependencies[$0]?.reads } }
    return reads.contains { $0.values.contains { !$0.isSame() } }
  }
}

/// Who runs something that reads. Most views read nothing that has to be noted, so a reader is made for the first that
/// does.
protocol ReaderOwner: AnyObject {
  var existingReader: Reader? { get }
  func makeReader() -> Reader?
}
