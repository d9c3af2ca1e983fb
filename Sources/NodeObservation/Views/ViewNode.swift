internal import MarkupDocument

/// A view's place in the tree, for as long as it is the same view: what the view keeps, and what it drew last.
///
/// Changed by one thread at a time: the one that holds the lock of its ``ViewTree``. So what every update looks at is not
/// checked each time for who else is at it.
final class ViewNode: @unchecked Sendable {
  let number: Int
  /// What a body has made may outlive the tree that it stood in.
  private(set) weak var tree: ViewTree?
  /// For the view of an element: the one of the element around it.
  private(set) weak var parentHost: ViewNode?
  private(set) var depth: Int
  /// The view that was asked for last; `nil` for an element's that was not drawn yet, or stands as it is.
  var view: (any View)?
  /// What it is; `nil` for an element's that was not drawn yet.
  var type: (any View.Type)?
  /// Whether this is the view of an element, and not one that stands in such a view.
  let isHost: Bool
  private weak var host: ViewNode?
  /// For the view of an element: what it is told by.
  var observer: Observer?
  /// For the view of an element: the element as it was last drawn.
  @exclusivity(unchecked) private(set) var element: ElementNode?
  /// For the view of an element: how that is called, once it was asked.
  private var knownTitle: String?
  /// How the view's type is called, once it was asked.
  var typeName: String?
  /// For the view of an element: views in it that read the element, too.
  @exclusivity(unchecked) var readers: [WeakNode] = []
  /// Whether its body asked to be told of the element's children.
  var observesChildren = false
  /// For the view of an element: which view in it shows each element, once that was asked.
  @exclusivity(unchecked) var showers: [NodeRef: ViewNode]?

  /// What the body came to; `nil` until the view is drawn for the first time.
  @exclusivity(unchecked) var drawing: Drawing?
  /// The views with bodies of their own that stand in it.
  var children: [ViewKey: ViewNode] = [:]
  /// What its properties keep, by their names.
  var storage: [String: AnyObject] = [:]
  var environment: EnvironmentValues
  /// Where an element in it has another environment than the view itself.
  var environments: [NodeRef: EnvironmentValues] = [:]

  /// What its body has read; `nil` until it reads something that tells its readers.
  var existingReader: Reader?
  /// What its body has read of `@Observable` objects.
  var observables = ObservableReads()

  /// Why it has to be evaluated again.
  @exclusivity(unchecked) var reasons: [EvaluationReason] = []
  var evaluations = 0
  /// In which flush it was evaluated last, and how often in that.
  var repeats = (flush: 0, count: 0)
  /// For the view of an element: which evaluation of which view had it last.
  var shown = (view: 0, evaluation: 0)
  var isAlive = true

  struct WeakNode { weak var node: ViewNode? }

  init(_ number: Int, in tree: ViewTree, under parent: ViewNode?, environment: EnvironmentValues, isHost: Bool) {
    self.number = number
    self.tree = tree
    self.environment = environment
    depth = (parent?.depth ?? -1) + 1
    self.isHost = isHost
    if isHost { parentHost = parent?.elementView } else { host = parent?.elementView }
  }

  /// The view of an element that this is, or stands in.
  var elementView: ViewNode { isHost ? self : host ?? self }

  /// For the view of an element: what it shows of that from now on; `nil` until it is looked up.
  ///
  /// - Parameter isCalledOtherwise: whether its tag or its attributes differ from what they were.
  func show(_ new: ElementNode?, isCalledOtherwise: Bool = true) {
    if isCalledOtherwise { knownTitle = nil }
    element = new
  }

  /// For the view of an element: how that is called.
  var title: String {
    if let knownTitle { return knownTitle }
    let title = element?.title ?? "the document"
    knownTitle = title
    return title
  }

  /// The view of an element goes on in another view, with all that stands in it.
  func move(into parent: ViewNode) {
    parentHost = parent.elementView
    let deeper = parent.depth + 1 - depth
    if deeper == 0 { return }
    var views = [self]
    while let view = views.popLast() {
      view.depth += deeper
      views += view.children.values
      for node in view.drawing?.elements.map({ $0 }) ?? [] {
        if let below = tree?.hosts[node], below.parentHost === view.elementView { views.append(below) }
      }
    }
  }

  /// The view at a place of this one's body: the one that was there, told of what it is made with now, or a new one.
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
    if known.environment != environment {
      known.environment = environment
      tree.mark(known, because: [.environment])
    } else if !isSame {
      tree.mark(known, because: [.inputs])
    }
    return known
  }

  /// Ends the view and those in it: what they kept is let go.
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
      // Its properties are bound to this.
      (view.view, view.type, view.typeName) = (nil, nil, nil)
    }
  }
}
