#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
public import MarkupDocument

/// The views of a document, without a screen: what they draw is markup.
///
/// ```swift
/// let page = ViewTree(of: coordinator)
/// print(page.markup)                       // every view is evaluated once
/// coordinator.update(markup: "<p>2</p>")   // one text changed: the view of its <p> is evaluated again
/// print(page.takeEvaluations()[0])         // body of <p> (ElementMarkup): text
/// ```
///
/// A view is made when it is first drawn, and evaluated again when something that it reads changes: its element, its
/// state, an object, a shared value, the environment, or what it was made with. All that changes during one publication
/// is evaluated once, when it has ended, from the top down.
///
/// Thread safety: views are evaluated by one thread at a time, the one that publishes or the one that draws. A body must
/// not update a LiveView.
public final class ViewTree: @unchecked Sendable {
  /// Holds the document, and tells the views of its changes.
  public let coordinator: any NodeCoordinator
  /// Which view shows which element.
  public let registry: ViewRegistry
  /// What the views write: HTML, but for native markup that is to stay what it is.
  public let output: Dialect
  /// Runs what has to wait until the caller is done: an object announces its changes before it makes them.
  let scheduler: Scheduler
  /// Whether the views are those that the mirror counts already.
  private let isStandingIn: Bool

  // All of this is seen under the lock alone, and no access lasts while anything is called that may come back. So what
  // every update looks at is not checked each time for who else is at it.
  @exclusivity(unchecked) var hosts: [NodeRef: ViewNode] = [:]
  var root: ViewNode?
  /// What has to be evaluated again.
  @exclusivity(unchecked) var invalid: [ViewNode] = []
  /// While bodies are evaluated, what they make invalid waits.
  private(set) var isWorking = false
  /// A body that asks for a drawing or an evaluation gets what stands now.
  var isEvaluating = false
  /// Between the moment at which an update stands and that at which it has been told: see ``expect(_:in:)``.
  var isSettling = false
  /// What was evaluated in that time.
  @exclusivity(unchecked) var settled: [Evaluation] = []
  /// The nodes that are told in that time, and whose views nobody had drawn.
  @exclusivity(unchecked) var undrawn: [NodeRef] = []
  /// Counts the times that what is invalid was evaluated.
  var flushes = 0
  /// The scheduler was asked, and nothing was evaluated since.
  var isSchedulerAsked = false
  /// The views of elements that have left the document, or the view that they stood in.
  @exclusivity(unchecked) var gone: [ViewNode] = []
  /// What the flushes since the last ``takeEvaluations()`` did.
  var recent: [Evaluation] = []
  /// How many bodies were evaluated, first drawings included.
  var total = 0
  @exclusivity(unchecked) private(set) var knownProblems: [ViewProblem] = []
  private var nextNumber = 0
  private var typeNames: [ObjectIdentifier: String] = [:]
  var binder = PropertyBinder()
  private let environment: EnvironmentValues
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Runs work soon, and not on the call that asks for it.
  public typealias Scheduler = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - coordinator: holds the document. The tree keeps it.
  ///   - registry: which view shows an element.
  ///   - output: what is written.
  ///   - environment: what every view finds.
  ///   - scheduler: runs evaluations that an object asked for outside of any publication. Without one they wait for the
  ///     next drawing, or for ``flush()``.
  public convenience init(
    of coordinator: any NodeCoordinator, registry: ViewRegistry = .html, output: Dialect = .html,
    environment: EnvironmentValues = EnvironmentValues(), scheduler: @escaping Scheduler = { _ in }
  ) {
    self.init(
      of: coordinator, registry: registry, output: output, environment: environment, standingIn: false,
      scheduler: scheduler)
  }

  /// - Parameter standingIn: the views are those that the mirror mounted for every element, made real.
  package init(
    of coordinator: any NodeCoordinator, registry: ViewRegistry, output: Dialect = .html,
    environment: EnvironmentValues = EnvironmentValues(), standingIn: Bool,
    scheduler: @escaping Scheduler = { _ in }
  ) {
    self.coordinator = coordinator
    self.registry = registry
    self.output = output
    self.environment = environment
    isStandingIn = standingIn
    self.scheduler = scheduler
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // A body reads its own state: the thread that draws comes back.
    pthread_mutexattr_settype(&attributes, .init(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    mount()
  }

  deinit {
    root?.end()
    hosts.values.forEach { $0.end() }
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inlinable package func locked<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  @usableFromInline func lock() { pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }

  /// Evaluates bodies. What these make invalid is evaluated too, before anybody else sees the tree; what they put off
  /// runs when the tree is free again.
  @inline(__always) func work<Result>(_ body: () -> Result) -> Result {
    Publication.calling {
      locked {
        if isWorking { return body() }
        isWorking = true
        defer { isWorking = false }
        return body()
      }
    }
  }

  // MARK: - Reading

  /// How many views there are.
  public var count: Int { locked { hosts.values.reduce(0) { $0 + $1.subtreeCount } } }

  /// How many bodies were evaluated since the tree was made, first drawings included.
  public var evaluationCount: Int { locked { total } }

  /// How many elements have a view that was made.
  package var drawnViews: Int { locked { hosts.count } }

  /// How often the body of an element's view was evaluated; 0 where it was never drawn.
  public func evaluationCount(of node: NodeRef) -> Int { locked { hosts[node]?.evaluations ?? 0 } }

  /// What was evaluated again since this was last asked: which view, why, and whether anything came of it. Of very many
  /// the last ``maximumRecent``.
  public func takeEvaluations() -> [Evaluation] {
    locked {
      defer { recent = [] }
      return recent
    }
  }

  /// What views did that they must not do, and what could not be read, each once, oldest first; the
  /// last hundred.
  public var problems: [ViewProblem] { locked { knownProblems } }

  /// The ``problems``, which are then forgotten: what is noted again is new.
  package func takeProblems() -> [ViewProblem] {
    locked {
      if knownProblems.isEmpty { return [] }
      defer { knownProblems = [] }
      return knownProblems
    }
  }

  // MARK: - Making views

  /// Begins anew with the document as it is now.
  func mount() {
    root?.end()
    hosts.values.forEach { $0.end() }
    (hosts, invalid) = ([:], [])
    root = coordinator.reading(\.root).map { makeHost(of: $0, under: nil, environment: environment) }
  }

  func make(under parent: ViewNode, environment: EnvironmentValues) -> ViewNode {
    nextNumber += 1
    return ViewNode(nextNumber, in: self, under: parent, environment: environment, isHost: false)
  }

  func makeHost(of node: NodeRef, under parent: ViewNode?, environment: EnvironmentValues) -> ViewNode {
    nextNumber += 1
    let host = ViewNode(nextNumber, in: self, under: parent, environment: environment, isHost: true)
    observe(node, by: host)
    return host
  }

  /// Makes a view that of an element.
  func observe(_ node: NodeRef, by host: ViewNode) {
    host.observer = Observer(of: node, in: coordinator, standingIn: isStandingIn, delegate: self)
    hosts[node] = host
  }

  // MARK: - Noting

  func note(_ problem: ViewProblem) {
    locked {
      guard !knownProblems.contains(problem) else { return }
      if knownProblems.count == 100 { knownProblems.removeFirst() }
      knownProblems.append(problem)
    }
  }

  func name(of type: any View.Type) -> String {
    if let known = typeNames[ObjectIdentifier(type)] { return known }
    let name = String(describing: type)
    typeNames[ObjectIdentifier(type)] = name
    return name
  }
}

/// What a view did that it must not do, or what it could not read.
public struct ViewProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The element whose view it concerns; `nil` where it concerns none.
  public let node: NodeRef?
  /// What is wrong, and what to do about it where that can be said.
  public let message: String

  /// The node and the message.
  public var description: String { (node.map { "node \($0): " } ?? "") + message }
}
