internal import MarkupDocument
internal import NodeObservation

/// A node of the view tree. A node holds the stored values and the last drawing of one view, and
/// exists as long as the view keeps its identity.
///
/// An *element view* is the view of an element. All other nodes are views inside the body of an
/// element view.
///
/// A node is accessed only under the lock of its ``ViewTree``. The lock guarantees exclusive
/// access, so the runtime exclusivity checks of frequently used properties are disabled.
final class ViewNode: @unchecked Sendable {
  let number: Int
  /// Weak: the tree retains its nodes, and the properties of a view value may retain a node longer
  /// than the tree exists.
  private(set) weak var tree: ViewTree?
  /// For an element view: the view of the enclosing element.
  private(set) weak var parentElementView: ViewNode?
  private(set) var depth: Int
  /// The last value of the view; `nil` for an element view that was not drawn, or whose element is
  /// written unchanged.
  var view: (any View)?
  /// The type of the view; `nil` for an element view that was not drawn.
  var type: (any View.Type)?
  /// Whether this is the view of an element, and not a view inside one.
  let isElementView: Bool
  /// For a view inside an element view: that element view.
  private weak var host: ViewNode?
  /// For an element view: the observer of the element.
  var observer: Observer?
  /// For an element view: the current snapshot of the element; `nil` until it is looked up.
  @exclusivity(unchecked) private(set) var element: ElementNode?
  /// ``title``, once it was computed.
  private var knownTitle: String?
  /// The name of the view's type, computed on demand.
  var typeName: String?
  /// For an element view: the views inside it whose properties also read the element.
  @exclusivity(unchecked) var readers: [WeakNode] = []
  /// Whether a change of a child element also invalidates the view.
  var observesChildren = false
  /// For an element view: for each child element, the view that shows it, which is this view or a
  /// view inside it. Computed on demand.
  @exclusivity(unchecked) var owners: [NodeRef: ViewNode]?

  /// The result of the body; `nil` until the view is drawn for the first time.
  @exclusivity(unchecked) var drawing: Drawing?
  /// The nodes of those views in the body that have bodies of their own.
  var children: [ViewKey: ViewNode] = [:]
  /// The storage of the view's dynamic properties, by the name of the property.
  var storage: [String: AnyObject] = [:]
  var environment: EnvironmentValues
  /// The environments that the body sets for child elements and that differ from ``environment``.
  var environments: [NodeRef: EnvironmentValues] = [:]
  /// For each value that the body reads from the environment, a function that says whether two
  /// environments have the same value.
  var environmentReads: [(EnvironmentValues, EnvironmentValues) -> Bool] = []
  /// Whether the body gives a part of itself another environment than its own.
  var setsEnvironment = false
  /// Whether the environment lacks an object that the body reads. The body is not evaluated then.
  var lacksObject = false
  /// The actions of the last evaluation of the body, see ``View/onChange(of:initial:_:)``.
  var effects: [EffectKey: Effect] = [:]
  /// The controls of the last evaluation of the body, in the order in which they were written. See
  /// ``View/onInput(where:_:)`` and ``Button``.
  var controls: [Control] = []

  /// Tracks the reads of the body; `nil` until the body reads a tracked source.
  var existingReader: Reader?
  /// The tracked reads of `@Observable` objects.
  var observables = ObservableReads()

  /// The reasons for the next evaluation; empty if the view is up to date.
  @exclusivity(unchecked) var reasons: [EvaluationReason] = []
  /// The number of evaluations of the view.
  var evaluations = 0
  /// Whether the last evaluation changed the inputs or the environment of a view in the body.
  var gaveOtherInputs = false
  /// The last flush that evaluated the view, and the number of evaluations during that flush.
  var repeats = (flush: 0, count: 0)
  /// For an element view: the last drawing in which ``ViewTree/follow(_:of:after:)`` found the
  /// element. A drawing is identified by the number of the view that was drawn and the number of
  /// that view's evaluations.
  var shown = (view: 0, evaluation: 0)
  /// Whether the view has not ended. A node never becomes alive again.
  var isAlive = true

  struct WeakNode { weak var node: ViewNode? }

  init(_ number: Int, in tree: ViewTree, under parent: ViewNode?, environment: EnvironmentValues, isElementView: Bool) {
    self.number = number
    self.tree = tree
    self.environment = environment
    depth = (parent?.depth ?? -1) + 1
    self.isElementView = isElementView
    if isElementView { parentElementView = parent?.elementView } else { host = parent?.elementView }
  }

  /// This node if it is an element view, otherwise the element view that contains it.
  var elementView: ViewNode { isElementView ? self : host ?? self }

  /// For an element view: sets the snapshot of the element.
  ///
  /// - Parameters:
  ///   - new: the snapshot, or `nil` if the next evaluation is to look the element up.
  ///   - titleMayDiffer: whether the tag or the attributes may have changed, so that the title must
  ///     be computed again.
  func show(_ new: ElementNode?, titleMayDiffer: Bool = true) {
    if titleMayDiffer { knownTitle = nil }
    element = new
  }

  /// For an element view: the name of the element, such as `<li#row-9>`.
  var title: String {
    if let knownTitle { return knownTitle }
    let title = element?.title ?? "the document"
    knownTitle = title
    return title
  }

  /// For an element view: makes `parent` the enclosing view, and updates the depths of this view
  /// and of all views inside it.
  func move(into parent: ViewNode) {
    parentElementView = parent.elementView
    let deeper = parent.depth + 1 - depth
    if deeper == 0 { return }
    var views = [self]
    while let view = views.popLast() {
      view.depth += deeper
      views += view.children.values
      for node in view.drawing?.elements.map({ $0 }) ?? [] {
        if let below = tree?.elementViews[node], below.parentElementView === view.elementView { views.append(below) }
      }
    }
  }

  /// The node of a view in this view's body: the existing node of the key if its view has the same
  /// type, otherwise a new node.
  ///
  /// An existing node gets the new view value and environment. If either differs, the node is
  /// marked for evaluation.
  func child<Content: View>(
    at key: ViewKey, showing view: Content, in environment: EnvironmentValues, of tree: ViewTree
  ) -> ViewNode {
    guard let known = children[key], known.view is Content else {
      let child = tree.make(under: self, environment: environment)
      (child.view, child.type) = (view, Content.self)
      return child
    }
    let isSame = known.view.map { Inputs.areEqual($0, view) } ?? false
    if !isSame { known.view = view }
    if !isSame || known.environment != environment { gaveOtherInputs = true }
    tree.set(environment, of: known)
    if !isSame { tree.mark(known, because: [.inputs]) }
    return known
  }

  /// Ends an effect. Its action runs when the tree is unlocked, or at once if the tree no longer
  /// exists.
  func end(_ effect: Effect) {
    let tree = tree
    tree.map { $0.afterwards("the end of an effect", effect.end) } ?? effect.end()
  }

  /// Ends all effects.
  func endEffects() {
    effects.values.forEach(end)
    effects = [:]
  }

  /// Ends the view and all views inside it, and releases their storage. Views of child elements do
  /// not end.
  func end() {
    var views = [self]
    while let view = views.popLast() {
      views += view.children.values
      view.isAlive = false
      view.observer?.cancel()
      view.observer = nil
      view.stopReading()
      view.children = [:]
      view.storage = [:]
      view.drawing = nil
      view.endEffects()
      (view.environmentReads, view.controls) = ([], [])
      // The properties of the view value refer to this node, which is a reference cycle.
      (view.view, view.type, view.typeName) = (nil, nil, nil)
    }
  }
}

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

  /// Evaluates a body and records its reads of shared values, elements and properties of
  /// `@Observable` objects.
  func tracking(_ body: () -> Void) {
    // A copy, because the body may end this view: `stopReading()` then modifies `observables`
    // during the call.
    let reads = observables
    if Reader.track(for: self, { reads.track(body) { [weak self] in self?.observableChanges() } }) {
      observables.addWire()
    }
  }

  /// Called by Observation before an object changes.
  ///
  /// If another thread changes the object while a body reads it, the body may read the old value,
  /// and the view is not invalidated. Therefore `@Observable` objects must only be changed on the
  /// thread that evaluates views.
  fileprivate func observableChanges() { tree?.invalidate(self, because: .object("Observable"), later: true) }

  /// Ends all tracking of the view's reads.
  func stopReading() {
    existingReader?.end()
    existingReader = nil
    observables.stop()
  }
}
