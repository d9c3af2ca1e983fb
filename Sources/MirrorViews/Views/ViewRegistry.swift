public import MarkupDocument
internal import NodeObservation

/// Chooses the view of an element by its tag. An element whose tag is not registered is shown by a
/// fallback view, or written unchanged. A ``ViewTree`` asks the registry at each evaluation of an
/// element's view.
///
/// ```swift
/// var registry = ViewRegistry.native
/// registry.register("Badge") { element in BadgeView() }
/// let tree = ViewTree(of: coordinator, registry: registry)
/// ```
public struct ViewRegistry: Sendable {
  /// Creates the view of an element. The function is called at each evaluation of the view, so it
  /// should only create the value.
  public typealias Factory = @Sendable (ElementNode) -> any PageView

  private var factories: [String: Factory] = [:]
  /// Creates the views of elements whose tags are not registered; `nil` if these elements are
  /// written unchanged.
  private let fallback: Factory?

  /// Creates a registry without tags. Elements whose tags are not registered are shown by the view
  /// that `fallback` creates.
  public init(fallback: @escaping Factory) { self.fallback = fallback }

  private init() { fallback = nil }

  /// A registry that writes every element unchanged.
  public static let html = ViewRegistry()

  /// The registry for a dialect: it writes HTML elements unchanged, and shows native elements as
  /// HTML.
  public static func standard(for dialect: Dialect) -> ViewRegistry {
    switch dialect {
    case .html: .html
    case .native: .native
    }
  }

  /// Registers a view for the elements with the given tags. If a tag is registered more than once,
  /// the last registration applies.
  public mutating func register(_ tags: String..., view factory: @escaping Factory) {
    for tag in tags { factories[tag] = factory }
  }

  /// Whether all elements are written unchanged.
  var writesUnchanged: Bool { factories.isEmpty && fallback == nil }

  /// The registered tags, sorted.
  public var tags: [String] { factories.keys.sorted() }

  /// The view of an element; `nil` if the element is written unchanged, as ``ElementMarkup`` does.
  func view(for element: ElementNode) -> (any PageView)? {
    // The root of a document has no tag. Only the children of the root are written.
    guard let tag = element.element?.tag else { return nil }
    return (factories[tag] ?? fallback)?(element)
  }
}

/// A view that writes an element unchanged: its tag, attributes and texts, and the views of its
/// child elements.
public struct ElementMarkup: PrimitiveView {
  let element: ElementNode

  /// Creates a view that writes an element unchanged.
  ///
  /// - Parameter element: the value of an ``ObservedElement``, or a constant element.
  public init(_ element: ElementNode) { self.element = element }

  /// Writes the element, with placeholders for the views of its child elements.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.write(view.element) }
}

/// The view that the registry chooses for an element.
public struct ElementView: PrimitiveView {
  let node: NodeRef

  /// The view of the element with this node. If the node is not in the document, nothing is
  /// written.
  public init(_ node: NodeRef) { self.node = node }

  /// The view of a child element.
  public init(_ child: ElementNode.ChildElement) { node = child.node }

  /// Adds a placeholder for the view of the element.
  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.add(view.node) }
}

/// The content of an element: its texts, and the views of its child elements.
public struct Children: PrimitiveView {
  let element: ElementNode

  /// Creates a view of the content of an element. Comments and processing instructions are not
  /// written.
  public init(of element: ElementNode) { self.element = element }

  /// Writes the texts, and adds placeholders for the views of the child elements.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    for child in view.element.children {
      switch child {
      case .element(let node): expansion.add(node)
      case .text(let text): expansion.write(text: text)
      case .comment, .processingInstruction: break
      }
    }
  }
}
