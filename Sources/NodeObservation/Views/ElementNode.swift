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
    /// A processing instruction.
    case processingInstruction(ProcessingInstruction)
  }

  /// The one moment, which all copies share.
  private final class Moment: Sendable {
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

  private let moment: Moment

  /// The node that it is.
  public var node: NodeRef { moment.node }
  /// What tells it apart from its siblings.
  public var id: ElementID { moment.id }
  /// `nil` for the document itself, and for a node that is gone.
  public var element: Element? { moment.element }
  /// What stands directly in it, first to last.
  public var children: [Child] { moment.children }
  /// How its markup is read and written.
  public var dialect: Dialect { moment.dialect }
  /// Who holds the document; `nil` for what stands for an element that is not there.
  var source: (any NodeCoordinator)? { moment.source }

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

  /// Whether it is written as another one is: byte for byte, with the same elements in it.
  func isWritten(as other: ElementNode) -> Bool {
    let (children, others) = (children, other.children)
    guard children.count == others.count else { return false }
    let areSame = children.indices.allSatisfy { place in
      switch (children[place], others[place]) {
      case (.element(let a), .element(let b)): a == b
      case (.text(let a), .text(let b)), (.comment(let a), .comment(let b)): a.hasSameBytes(as: b)
      case (.processingInstruction(let a), .processingInstruction(let b)): a == b
      default: false
      }
    }
    return areSame && element == other.element
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
    self = source.reading { $0.element(node, of: source) } ?? .missing(node)
  }

  fileprivate init(
    node: NodeRef, id: ElementID, element: Element?, children: [Child], dialect: Dialect, source: (any NodeCoordinator)?
  ) {
    moment = Moment(node: node, id: id, element: element, children: children, dialect: dialect, source: source)
  }

  /// What stands for an element that is not there.
  static func missing(_ node: NodeRef = NodeRef(epoch: 0, number: 0)) -> ElementNode {
    ElementNode(node: node, id: .node(node), element: nil, children: [], dialect: .html, source: nil)
  }
}

extension Document {
  /// An element as a view sees it.
  ///
  /// - Complexity: O(*children*).
  func element(_ node: NodeRef, of source: any NodeCoordinator) -> ElementNode {
    var children: [ElementNode.Child] = []
    var element: Element?
    if let place = place(of: node) {
      element = tree[place].element
      if tree.childCount(of: place) > 1 { children.reserveCapacity(tree.childCount(of: place)) }
      var next = tree.firstChild(of: place)
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
