public import MarkupDocument

/// An element as a view sees it: one moment of it, with its children.
public struct ElementNode: Identifiable, Sendable {
  /// What stands directly in an element, in order.
  public enum Child: Hashable, Sendable {
    /// An element, by its node.
    case element(NodeRef)
    /// A text, as it stands.
    case text(String)
    /// A comment, without its marks.
    case comment(String)
  }

  /// The node that it is.
  public let node: NodeRef
  /// What tells it apart from its siblings.
  public let id: ElementID
  /// `nil` for the document itself, and for a node that is gone.
  public let element: Element?
  /// What stands directly in it, first to last.
  public let children: [Child]
  /// How its markup is read and written.
  public let dialect: Dialect
  /// Who holds the document; `nil` for what stands for an element that is not there.
  let source: (any NodeCoordinator)?

  /// Its tag; empty for the document itself, and for a node that is gone.
  public var tag: String { element?.tag ?? "" }

  /// The value of an attribute, `nil` where it is absent; one that is written without a value has the empty one.
  public subscript(name: String) -> String? { element?[name] }

  /// Its attributes, in the order in which they were written.
  public var attributes: [Element.Attribute] { element?.attributes ?? [] }

  /// The elements that stand directly in it, each with what makes it the same wherever it goes.
  public var childElements: [ChildElement] {
    guard let source else { return [] }
    return children.compactMap {
      if case .element(let node) = $0 { ChildElement(node: node, source: source) } else { nil }
    }
  }

  /// An element that stands in another one.
  public struct ChildElement: Identifiable, Sendable {
    /// The node that it is.
    public let node: NodeRef
    let source: any NodeCoordinator

    /// - Complexity: O(*attributes*).
    public var id: ElementID { source.reading { $0.elementID(of: node) } ?? .node(node) }

    /// The element as it stands now.
    public var element: ElementNode { ElementNode(node, of: source) }
  }

  /// The texts that stand directly in it, one after the other.
  public var text: String {
    children.reduce(into: "") { text, child in if case .text(let more) = child { text += more } }
  }
}

extension ElementNode {
  /// The element as it stands now.
  ///
  /// - Complexity: O(*children*).
  public init(_ node: NodeRef, of source: any NodeCoordinator) {
    self = source.reading { ElementNode(node, in: $0, of: source) } ?? .missing(node)
  }

  init(_ node: NodeRef, in document: Document, of source: any NodeCoordinator) {
    var children: [Child] = []
    var element: Element?
    if let place = document.place(of: node) {
      let tree = document.tree
      element = tree[place].element
      children.reserveCapacity(tree.childCount(of: place))
      for child in tree.children(of: place) {
        switch tree[child] {
        case .element: children.append(.element(document.ref(child)))
        case .text(let text): children.append(.text(text))
        case .comment(let comment): children.append(.comment(comment))
        case .root: break
        }
      }
    }
    self.init(
      node: node, id: document.elementID(of: node, being: element), element: element, children: children,
      dialect: document.dialect,
      source: source)
  }

  /// What stands for an element that is not there.
  static func missing(_ node: NodeRef = NodeRef(epoch: 0, number: 0)) -> ElementNode {
    ElementNode(node: node, id: .node(node), element: nil, children: [], dialect: .html, source: nil)
  }
}
