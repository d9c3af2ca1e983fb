public import MarkupDocument
internal import MirrorSupport
public import NodeObservation

/// An immutable snapshot of an element with its children. An ``ObservedElement`` returns one, and a
/// ``ViewRegistry`` chooses the view for one.
///
/// A ``ChildElement`` reads the present document, so its identity and its element may be newer than
/// the snapshot.
public struct ElementNode: Identifiable, Sendable {
  /// A child of an element.
  public enum Child: Hashable, Sendable {
    /// A child element, by its node.
    case element(NodeRef)
    /// A text.
    case text(String)
    /// A comment, without its delimiters.
    case comment(String)
    /// A processing instruction.
    case processingInstruction(ProcessingInstruction)
  }

  /// The contents of the snapshot, which all copies share.
  private final class Snapshot: Sendable {
    let node: NodeRef
    let id: ElementID
    let element: Element?
    let children: [Child]
    let dialect: Dialect
    let source: (any NodeCoordinator)?

    init(
      node: NodeRef, id: ElementID, element: Element?, children: [Child], dialect: Dialect,
      source: (any NodeCoordinator)?
    ) {
      self.node = node
      self.id = id
      self.element = element
      self.children = children
      self.dialect = dialect
      self.source = source
    }
  }

  private let snapshot: Snapshot

  /// The node of the element.
  public var node: NodeRef { snapshot.node }
  /// The identity of the element among its siblings.
  public var id: ElementID { snapshot.id }
  /// The tag and the attributes; `nil` for the root of the document, and for a removed node.
  public var element: Element? { snapshot.element }
  /// The children in document order.
  public var children: [Child] { snapshot.children }
  /// The dialect of the document.
  public var dialect: Dialect { snapshot.dialect }
  /// The coordinator of the document; `nil` for the placeholder of an element that does not exist.
  var source: (any NodeCoordinator)? { snapshot.source }

  /// The tag; empty for the root of the document, and for a removed node.
  public var tag: String { element?.tag ?? "" }

  /// The value of an attribute; `nil` if the attribute is absent, empty if the attribute has no
  /// value.
  public subscript(name: String) -> String? { element?[name] }

  /// The attributes, in the order of the markup.
  public var attributes: [Element.Attribute] { element?.attributes ?? [] }

  /// The child elements, each with its identity.
  public var childElements: [ChildElement] {
    guard let source else { return [] }
    return children.compactMap {
      if case .element(let node) = $0 { ChildElement(node: node, source: source) } else { nil }
    }
  }

  /// A child element.
  public struct ChildElement: Identifiable, Sendable {
    /// The node of the child.
    public let node: NodeRef
    let source: any NodeCoordinator

    /// The identity of the child among its siblings.
    ///
    /// - Complexity: O(*attributes*).
    public var id: ElementID { source.reading { $0.elementID(of: node) } ?? .node(node) }

    /// A snapshot of the current state of the child.
    public var element: ElementNode { ElementNode(node, of: source) }
  }

  /// Whether both have the same tag, attributes, texts and comments, byte for byte, and the same
  /// nodes as child elements. The content of child elements is not compared. A ``ViewTree``
  /// compares the snapshots of two evaluations with it, for an element that is drawn as its own
  /// markup and not by a view.
  func isWritten(as other: ElementNode) -> Bool {
    let (children, others) = (children, other.children)
    guard children.count == others.count else { return false }
    let areSame = children.indices.allSatisfy { index in
      switch (children[index], others[index]) {
      case (.element(let a), .element(let b)): a == b
      case (.text(let a), .text(let b)), (.comment(let a), .comment(let b)): a.hasSameBytes(as: b)
      case (.processingInstruction(let a), .processingInstruction(let b)): a == b
      default: false
      }
    }
    return areSame && element == other.element
  }

  /// The texts that are direct children, joined.
  public var text: String {
    children.reduce(into: "") { text, child in if case .text(let more) = child { text += more } }
  }
}

extension ElementNode {
  /// A snapshot of the current state of the element.
  ///
  /// - Complexity: O(*children*).
  public init(_ node: NodeRef, of source: any NodeCoordinator) {
    self = source.reading { $0.element(node, of: source) } ?? .missing(node)
  }

  fileprivate init(
    node: NodeRef, id: ElementID, element: Element?, children: [Child], dialect: Dialect, source: (any NodeCoordinator)?
  ) {
    snapshot = Snapshot(node: node, id: id, element: element, children: children, dialect: dialect, source: source)
  }

  /// The placeholder of an element that does not exist.
  static func missing(_ node: NodeRef = NodeRef(epoch: 0, number: 0)) -> ElementNode {
    ElementNode(node: node, id: .node(node), element: nil, children: [], dialect: .html, source: nil)
  }
}

extension Document {
  /// A snapshot of an element. The content of a portal's `template`, which no browser shows, is
  /// left out.
  ///
  /// - Complexity: O(*children*).
  func element(_ node: NodeRef, of source: any NodeCoordinator) -> ElementNode {
    var children: [ElementNode.Child] = []
    var element: Element?
    if let index = treeIndex(of: node) {
      element = tree[index].element
      if tree.childCount(of: index) > 1 { children.reserveCapacity(tree.childCount(of: index)) }
      var next = dialect.hidesContent(of: tree[index]) ? nil : tree.firstChild(of: index)
      while let child = next {
        switch tree[child] {
        case .element: children.appendOrBegin(with: .element(ref(child)))
        case .text(let text): children.appendOrBegin(with: .text(text))
        case .comment(let comment): children.appendOrBegin(with: .comment(comment))
        case .processingInstruction(let instruction):
          children.appendOrBegin(with: .processingInstruction(instruction))
        case .root: break
        }
        next = tree.next(of: child)
      }
    }
    return ElementNode(
      node: node, id: elementID(of: node, being: element), element: element, children: children, dialect: dialect,
      source: source)
  }
}
