internal import Dispatch
public import MarkupDocument
internal import MirrorSupport
public import NodeObservation

/// The views of a document, and their drawing as markup. The mirror has a tree for each page that
/// it draws. A program creates a tree for a document or a view of its own.
///
/// ```swift
/// let page = ViewTree(of: coordinator)
/// print(page.markup)                       // every view is evaluated once
/// coordinator.update(markup: "<p>2</p>")   // one text changed: the view of its <p> is evaluated again
/// print(page.takeEvaluations()[0])         // body of <p> (ElementMarkup): text
/// ```
///
/// A view is created when it is first drawn. It is evaluated again when a value that it reads
/// changes: its element, its state, an object, a shared value, the environment or its inputs. At
/// the end of a publication, each view that the publication has invalidated is evaluated once.
/// Enclosing views are evaluated before the views inside them.
///
/// A tree can be used from any thread. Only one thread at a time evaluates views: the publishing
/// thread, or a thread that draws. A body must not update a LiveView.
///
/// A view reads its element when it is evaluated. So if another thread updates the document during
/// a drawing, some views of the drawing may show the version before the update and others the
/// version after it. A drawing after the update shows one version. The page of a mirrored LiveView
/// is not updated while it is drawn.
public final class ViewTree: @unchecked Sendable {
  /// Holds the document, and notifies the views of changes.
  public let coordinator: any NodeCoordinator
  /// Maps elements to views.
  public let registry: ViewRegistry
  /// The view of the root; `nil` for a tree of a document, where only the children of the root are
  /// drawn.
  let rootView: (any View)?
  /// The dialect of the drawn markup: HTML, or native markup for a page that is not converted.
  public let output: Dialect
  /// Defers an evaluation when an object announces a change, because the object still has its old
  /// value then.
  let scheduler: Scheduler
  /// Whether the mirror already counts one view for every element. The observers of this tree are
  /// then not counted again.
  let isCountedByMirror: Bool

  // `mutex` guards the following properties. Properties that every update uses skip the runtime's
  // exclusivity checks: foreign code is never called during an access to one of them, so two
  // accesses never overlap.
  @exclusivity(unchecked) var elementViews = ElementViews()
  var root: ViewNode?
  @exclusivity(unchecked) var queue = EvaluationQueue()
  @exclusivity(unchecked) var mirrorUpdate = MirrorUpdate()
  @exclusivity(unchecked) var history = EvaluationHistory()
  /// Whether a thread evaluates or draws. That thread also evaluates the views that become invalid
  /// meanwhile.
  private(set) var isWorking = false
  /// The reasons for the running evaluation of a body; `nil` if no body is being evaluated.
  var evaluatedBecause: [EvaluationReason]?
  /// Whether a body is being evaluated. If the body calls ``flush()`` or ``markup``, no invalid
  /// view is evaluated.
  var isEvaluating: Bool { evaluatedBecause != nil }
  /// The number of actions of bodies that have run.
  var actionCount = 0
  /// Whether the scheduler was asked for a flush, and no flush has run since.
  var isSchedulerAsked = false
  private var nextNumber = 0
  private var typeNames: [ObjectIdentifier: String] = [:]
  /// For each known tag, whether the views of its elements observe the children of their elements.
  var observingTags: [String: Bool] = [:]
  let binder = PropertyBinder()
  private let environment: EnvironmentValues
  /// The values of ``PageValue``.
  let pageValues = InMemoryStore()
  /// Whether the tree belongs to the main actor, on which all its bodies and actions then run.
  private let isOfMainActor: Bool
  /// Recursive, because a body is evaluated under the lock and takes the lock again when it reads a
  /// state.
  ///
  /// To avoid deadlocks, a thread that needs both takes this lock before the lock of the
  /// coordinator's document.
  private let mutex = Lock(isRecursive: true)

  /// A function that runs `work` soon, but not before the function has returned.
  public typealias Scheduler = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// Creates a tree. No view is evaluated before the first drawing.
  ///
  /// - Parameters:
  ///   - coordinator: holds the document. The tree retains it.
  ///   - registry: maps elements to views.
  ///   - output: the dialect of the drawn markup.
  ///   - environment: the environment of every view.
  ///   - scheduler: runs the evaluations that a change of an object outside of a publication
  ///     causes. Without a scheduler, these evaluations run with the next drawing or ``flush()``.
  public convenience init(
    of coordinator: any NodeCoordinator, registry: ViewRegistry = .html, output: Dialect = .html,
    environment: EnvironmentValues = EnvironmentValues(), scheduler: @escaping Scheduler = { _ in }
  ) {
    self.init(
      of: coordinator, registry: registry, output: output, environment: environment, isCountedByMirror: false,
      scheduler: scheduler)
  }

  /// Creates a tree of one view and the views in it, without a document.
  ///
  /// ```swift
  /// let tree = ViewTree(root: Panel())
  /// print(tree.markup)
  /// try tree.tap("Add")
  /// ```
  ///
  /// A tree that the main actor creates belongs to it: all bodies and actions run there, even if
  /// another thread changes the values that they read. On another thread, ``markup`` evaluates
  /// nothing and shows the results of the last evaluations.
  ///
  /// - Parameters:
  ///   - root: the view.
  ///   - environment: the environment of the view.
  ///   - scheduler: runs the evaluations that a change of an object outside of a publication
  ///     causes. If it is `nil`, a tree of the main actor runs them in a task of the main actor,
  ///     and another tree with the next drawing or ``flush()``.
  @MainActor public convenience init(
    root: some View, environment: EnvironmentValues = EnvironmentValues(), scheduler: Scheduler? = nil
  ) {
    self.init(anyRoot: root, environment: environment, scheduler: scheduler, isOfMain: true)
  }

  /// Creates a tree of one view that belongs to no actor. If the caller is isolated to the main
  /// actor, the tree belongs to the main actor, otherwise to no actor.
  public convenience init(
    root: some PageView, environment: EnvironmentValues = EnvironmentValues(), scheduler: Scheduler? = nil,
    isolation: (any Actor)? = #isolation
  ) {
    self.init(
      anyRoot: root, environment: environment, scheduler: scheduler, isOfMain: isolation === MainActor.shared)
  }

  private convenience init(
    anyRoot root: any View, environment: EnvironmentValues, scheduler: Scheduler?, isOfMain: Bool
  ) {
    self.init(
      of: FixedDocument(Document(dialect: .html, epoch: 1)), registry: .html, rootView: root, environment: environment,
      isCountedByMirror: false, isOfMainActor: isOfMain,
      scheduler: scheduler ?? { work in if isOfMain { Task { @MainActor in work() } } })
  }

  /// Creates a tree for a mirrored page.
  ///
  /// - Parameter isCountedByMirror: whether the mirror already counts one view for every element.
  ///   The observers of this tree are then not counted again.
  package init(
    of coordinator: any NodeCoordinator, registry: ViewRegistry, rootView: (any View)? = nil, output: Dialect = .html,
    environment: EnvironmentValues = EnvironmentValues(), isCountedByMirror: Bool, isOfMainActor: Bool = false,
    scheduler: @escaping Scheduler = { _ in }
  ) {
    self.coordinator = coordinator
    self.registry = registry
    self.rootView = rootView
    self.output = output
    self.environment = environment
    self.isCountedByMirror = isCountedByMirror
    self.scheduler = scheduler
    self.isOfMainActor = isOfMainActor
    mount()
  }

  deinit {
    let views = [root].compactMap(\.self) + elementViews.all
    run { for view in views { view.end() } }
  }

  /// Runs `body` under the lock of the tree.
  package func locked<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  func lock() { mutex.lock() }
  func unlock() { mutex.unlock() }

  /// Runs `body`, which evaluates or draws views, under the lock. All evaluations run within this
  /// function.
  ///
  /// Views that become invalid meanwhile do not schedule another flush: `body` must evaluate them.
  /// Work that is deferred by `Publication/afterwards(_:_:)` runs after the tree is unlocked.
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

  /// Whether this thread may evaluate bodies and run actions.
  var isOnItsThread: Bool { !isOfMainActor || MainActor.isCurrent }

  /// Calls code of a view without a check at run time that it is on its actor. A tree of the main
  /// actor evaluates views only there, and all views of any other tree are of the kind
  /// ``PageView``, whose code belongs to no actor.
  static func isolated<Result>(_ body: @MainActor () -> Result) -> Result {
    withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Result).self)() }
  }

  // MARK: - Reading

  /// The number of views: the views of elements, and all views inside these views.
  public var count: Int { locked { elementViews.all.reduce(0) { $0 + $1.subtreeCount } } }

  /// The number of evaluated bodies since the tree was created, including first drawings.
  public var evaluationCount: Int { locked { history.total } }

  /// The number of elements whose view was created.
  package var viewCount: Int { locked { elementViews.count } }

  /// The number of evaluations of an element's view; 0 if it was never drawn.
  public func evaluationCount(of node: NodeRef) -> Int { locked { elementViews[node]?.evaluations ?? 0 } }

  /// Evaluates the invalid views unless a publication is running, returns the evaluations since the
  /// last call of this function, and forgets them. At most the last ``maximumRecent`` evaluations
  /// are kept.
  public func takeEvaluations() -> [Evaluation] {
    if !Publication.isRunning { flush() }
    return locked { history.takeRecent() }
  }

  /// The problems of views: violations of the rules for bodies, attributes that could not be
  /// decoded, and missing environment objects. Equal problems are listed once. The oldest problem
  /// is first, and the last hundred are kept.
  public var problems: [ViewProblem] { locked { history.problems } }

  /// Returns the ``problems`` and forgets them. A problem that occurs again is then listed again.
  package func takeProblems() -> [ViewProblem] {
    locked { history.takeProblems() }
  }

  // MARK: - Creating views

  /// Ends all views, and creates the view of the root of the current document.
  func mount() {
    root?.end()
    for view in elementViews.all { view.end() }
    elementViews.removeAll()
    queue.removeAll()
    // These evaluations are discarded, because their nodes belong to the previous document.
    _ = mirrorUpdate.takeOfInputs()
    root = coordinator.reading(\.root).map { makeElementView(of: $0, under: nil, environment: environment) }
  }

  /// Creates the node of a view inside an element view.
  func make(under parent: ViewNode, environment: EnvironmentValues) -> ViewNode {
    nextNumber += 1
    return ViewNode(nextNumber, in: self, under: parent, environment: environment, isElementView: false)
  }

  /// Creates the view of an element, which observes the element and is not evaluated yet.
  func makeElementView(of node: NodeRef, under parent: ViewNode?, environment: EnvironmentValues) -> ViewNode {
    nextNumber += 1
    let host = ViewNode(nextNumber, in: self, under: parent, environment: environment, isElementView: true)
    observe(node, by: host)
    return host
  }

  /// Makes `host` the view of an element: stores `host` under the node of the element, and gives it
  /// a new observer of the element.
  func observe(_ node: NodeRef, by host: ViewNode) {
    host.observer = Observer(of: node, in: coordinator, isCountedByMirror: isCountedByMirror, delegate: self)
    elementViews[node] = host
  }

  // MARK: - Recording

  func note(_ problem: ViewProblem) {
    locked { history.note(problem) }
  }

  func name(of type: any View.Type) -> String {
    if let known = typeNames[ObjectIdentifier(type)] { return known }
    let name = String(describing: type)
    typeNames[ObjectIdentifier(type)] = name
    return name
  }
}

/// A violation of the rules for bodies, an attribute that could not be decoded, or a missing
/// environment object.
public struct ViewProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The element of the view; `nil` if the problem does not belong to an element.
  public let node: NodeRef?
  /// Describes the problem and, if possible, its solution.
  public let message: String

  /// The node and the message.
  public var description: String { (node.map { "node \($0): " } ?? "") + message }
}

extension MainActor {
  private static let isMainQueue = DispatchSpecificKey<Bool>()
  private static let isMarked: Void = DispatchQueue.main.setSpecific(key: isMainQueue, value: true)

  /// Whether the calling code runs on the main actor. The actor runs on the main queue, but on
  /// Linux not always on the same thread.
  fileprivate static var isCurrent: Bool {
    _ = isMarked
    return DispatchQueue.getSpecific(key: isMainQueue) == true
  }
}

/// The views of elements, by node. Each ``ViewTree`` has one, guarded by the lock of the tree.
///
/// A view becomes an *orphan* if its element is removed from the document, or if the body that
/// showed the element no longer shows it. During the same flush another body may begin to show the
/// element. Therefore orphans are kept until all bodies are up to date.
struct ElementViews {
  private var views: [NodeRef: ViewNode] = [:]
  private var orphans: [ViewNode] = []

  subscript(node: NodeRef) -> ViewNode? {
    get { views[node] }
    set { views[node] = newValue }
  }

  var count: Int { views.count }
  var all: some Collection<ViewNode> { views.values }

  mutating func removeAll() { views = [:] }

  var hasOrphans: Bool { !orphans.isEmpty }

  mutating func orphan(_ view: ViewNode) { orphans.append(view) }

  mutating func orphan(_ views: some Sequence<ViewNode>) { orphans += views }

  mutating func nextOrphan() -> ViewNode? { orphans.popLast() }
}
