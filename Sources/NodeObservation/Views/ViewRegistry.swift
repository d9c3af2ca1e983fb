public import MarkupDocument

/// Which view shows an element: by its tag, else a fallback.
///
/// ```swift
/// var registry = ViewRegistry.native
/// registry.register("Badge") { element in BadgeView() }
/// let tree = ViewTree(of: coordinator, registry: registry)
/// ```
public struct ViewRegistry: Sendable {
  /// Makes the view of an element. It is called whenever the view is evaluated, and must do no work.
  public typealias Factory = @Sendable (ElementNode) -> any View

  private var factories: [String: Factory] = [:]
  /// `nil` where an element stands as it is.
  private let fallback: Factory?

  /// Shows every element by one view, until tags are registered.
  public init(fallback: @escaping Factory) { self.fallback = fallback }

  private init() { fallback = nil }

  /// Every element as it stands.
  public static let html = ViewRegistry()

  /// Elements of HTML as they stand, native ones drawn as HTML.
  public static func standard(for dialect: Dialect) -> ViewRegistry { dialect == .native ? .native : .html }

  /// Shows the elements of some tags by a view of your own. The last registration of a tag counts.
  public mutating func register(_ tags: String..., view factory: @escaping Factory) {
    for tag in tags { factories[tag] = factory }
  }

  /// The tags that have a view of their own, sorted.
  public var tags: [String] { factories.keys.sorted() }

  /// `nil` for an element that stands as it is, as ``ElementMarkup`` does.
  func view(for element: ElementNode) -> (any View)? {
    // The document itself has no tag: it is what stands in it.
    guard let tag = element.element?.tag else { return nil }
    return (factories[tag] ?? fallback)?(element)
  }
}

/// An element as it stands: its tags, its attributes, its texts, and the views of the elements in it.
public struct ElementMarkup: PrimitiveView {
  let element: ElementNode

  /// The element that the view is of, or one that stays as it is.
  public init(_ element: ElementNode) { self.element = element }

  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.write(view.element) }
}

/// The view of an element, by its tag.
public struct ElementView: PrimitiveView {
  let node: NodeRef

  /// The view of the element that a node is; nothing for a node that is none.
  public init(_ node: NodeRef) { self.node = node }

  /// The view of an element that stands in another.
  public init(_ child: ElementNode.ChildElement) { node = child.node }

  public static func _expand(_ view: Self, into expansion: inout Expansion) { expansion.add(view.node) }
}

/// What stands in an element: its texts, and the views of its elements.
public struct Children: PrimitiveView {
  let element: ElementNode

  /// What stands in an element.
  public init(of element: ElementNode) { self.element = element }

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
