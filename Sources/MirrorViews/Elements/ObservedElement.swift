public import MarkupDocument
public import NodeObservation

/// The element of the view. The view is evaluated again if the element changes.
///
/// ```swift
/// struct Row: View {
///   @ObservedElement var element
///   var body: some View { Tag("tr") { Children(of: element) } }
/// }
/// ```
///
/// A view may have several of these properties, and several ``Attribute`` properties. They share
/// one `Observer` of the element.
@propertyWrapper public struct ObservedElement: DynamicProperty {
  let observesChildren: Bool
  private let constant: ElementNode?
  private let link = PropertyLink<ViewNode>()

  /// Creates the property for the element of the view.
  ///
  /// - Parameter observeChildren: whether the view is also evaluated again if a child element
  ///   changes.
  public init(observeChildren: Bool = false) {
    observesChildren = observeChildren
    constant = nil
  }

  /// Creates the property for an element that never changes. The view does not subscribe to it.
  public init(element: ElementNode) {
    observesChildren = false
    constant = element
  }

  /// The view's snapshot of its element. Before the view is in a tree, an empty placeholder.
  public var wrappedValue: ElementNode { constant ?? link.target?.elementView.element ?? .missing() }

  /// Publishes the node that changed: the element or, with `observeChildren`, a child of it.
  public var projectedValue: AnyPublisher<NodeRef, Never> {
    guard constant == nil, let observer = link.target?.elementView.observer else {
      return Empty().eraseToAnyPublisher()
    }
    return observer.changes.eraseToAnyPublisher()
  }

  /// Subscribes the view to its element.
  public func bind(to context: PropertyContext) {
    guard constant == nil else { return }
    link.target = context.view
    context.view.readElement()
    guard observesChildren else { return }
    context.view.observesChildren = true
    context.view.elementView.observer?.observeChildren()
  }
}

extension ObservedElement: ElementProperty {
  var declaration: String { observesChildren ? "@ObservedElement(observeChildren: true)" : "@ObservedElement" }
  var readsElement: Bool { constant == nil }
}

extension ObservedElement: Equatable {
  /// Whether both observe the element of the view in the same way, or have equal snapshots of the
  /// same constant element.
  public static func == (a: Self, b: Self) -> Bool {
    a.observesChildren == b.observesChildren && a.constant?.node == b.constant?.node
      && a.constant?.element == b.constant?.element && a.constant?.children == b.constant?.children
  }
}

extension ViewNode {
  /// Subscribes the view to the element of its element view. An element view itself is always
  /// subscribed.
  func readElement() {
    let host = elementView
    guard host !== self, !host.readers.contains(where: { $0.node === self }) else { return }
    host.readers.removeAll { $0.node?.isAlive != true }
    host.readers.append(WeakNode(node: self))
  }
}
