internal import MarkupDocument

/// A view's place in the tree, for as long as it is the same view: what the view keeps, and what it drew last.
///
/// Seen by one thread at a time: the one that holds the lock of its ``ViewTree``.
final class ViewNode: @unchecked Sendable {
  let number: Int
  unowned let tree: ViewTree
  private(set) weak var parent: ViewNode?
  private(set) var depth: Int
  /// The view that was asked for last; `nil` for an element's that was not drawn yet.
  var view: (any View)?
  /// Whether this is the view of an element, and not one that stands in such a view.
  let isHost: Bool
  private weak var host: ViewNode?
  /// For the view of an element: what it is told by.
  var observer: Observer?
  /// For the view of an element: the element as it was last drawn.
  var element: ElementNode?
  /// For the view of an element: views in it that read the element, too.
  var readers: [WeakNode] = []

  /// What the body came to; `nil` until the view is drawn for the first time.
  var drawing: Drawing?
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
  var reasons: [EvaluationReason] = []
  var evaluations = 0
  /// For the view of an element: which evaluation of which view had it last.
  var shown = (view: 0, evaluation: 0)
  var isAlive = true

  struct WeakNode { weak var node: ViewNode? }

  init(_ number: Int, in tree: ViewTree, under parent: ViewNode?, environment: EnvironmentValues, isHost: Bool) {
    self.number = number
    self.tree = tree
    self.parent = parent
    self.environment = environment
    depth = (parent?.depth ?? -1) + 1
    self.isHost = isHost
    if !isHost { host = parent?.elementView }
  }

  /// The view of an element that this is, or stands in.
  var elementView: ViewNode { host ?? self }

  /// The view of an element goes on in another view.
  func move(into parent: ViewNode) {
    self.parent = parent
    depth = parent.depth + 1
  }

  /// The view at a place of this one's body: the one that was there, told of what it is made with now, or a new one.
  func child<Content: View>(at key: ViewKey, showing view: Content, in environment: EnvironmentValues) -> ViewNode {
    guard let known = children[key], known.view is Content else {
      let child = tree.make(under: self, environment: environment)
      child.view = view
      return child
    }
    let isSame = known.view.map { Inputs.areEqual($0, view) } ?? false
    if !isSame { known.view = view }
    if known.environment != environment {
      known.environment = environment
      tree.invalidate(known, because: .environment)
    } else if !isSame {
      tree.invalidate(known, because: .inputs)
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
      view.view = nil
    }
  }
}
