#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif
public import MarkupDocument

/// The element whose view this is. The view is evaluated again when the element changes, and only then.
///
/// ```swift
/// struct Row: View {
///   @ObservedElement var element
///   var body: some View { Tag("tr") { Children(of: element) } }
/// }
/// ```
///
/// However many of these, and of ``Attribute``, a view has: the element has one ``Observer``.
@propertyWrapper public struct ObservedElement: DynamicProperty {
  private let observesChildren: Bool
  private let constant: ElementNode?
  private let link = PropertyLink<ViewNode>()

  /// - Parameter observeChildren: whether a change of an element that stands directly in it counts, too.
  public init(observeChildren: Bool = false) {
    observesChildren = observeChildren
    constant = nil
  }

  /// An element that stays as it is: nothing is subscribed to, and nobody is counted.
  public init(element: ElementNode) {
    observesChildren = false
    constant = element
  }

  /// The element as it was when it last changed.
  public var wrappedValue: ElementNode { constant ?? link.target?.elementView.element ?? .missing() }

  /// Passes on which node changed: the element, or with `observeChildren` one that stands in it.
  public var projectedValue: AnyPublisher<NodeRef, Never> {
    guard constant == nil, let observer = link.target?.elementView.observer else {
      return Empty().eraseToAnyPublisher()
    }
    return observer.changes.eraseToAnyPublisher()
  }

  /// The view is told of its element from here on.
  public func bind(to context: PropertyContext) {
    guard constant == nil else { return }
    link.target = context.view
    context.view.readElement()
    guard observesChildren else { return }
    context.view.observesChildren = true
    context.view.elementView.observer?.observeChildren()
  }
}

extension ObservedElement: Equatable {
  /// Whether they are of one constant element, as it was at one moment; or both of the element whose view it is.
  public static func == (a: Self, b: Self) -> Bool {
    a.observesChildren == b.observesChildren && a.constant?.node == b.constant?.node
      && a.constant?.element == b.constant?.element && a.constant?.children == b.constant?.children
  }
}

extension ViewNode {
  /// From here on the view is told when the element changes in whose view it stands.
  func readElement() {
    let host = elementView
    guard host !== self, !host.readers.contains(where: { $0.node === self }) else { return }
    host.readers.removeAll { $0.node?.isAlive != true }
    host.readers.append(WeakNode(node: self))
  }
}
