internal import MarkupDocument

/// A body on its way to markup: what ``View`` writes itself into.
public struct Expansion {
  /// The view whose body this is.
  let owner: ViewNode
  private let tree: ViewTree
  var drawing = Drawing()
  /// The views with bodies that stand in it, by identity.
  private(set) var children: [ViewKey: ViewNode] = [:]
  private var key = ViewKey()
  private var environment: EnvironmentValues
  private var output: MarkupOutput

  init(of owner: ViewNode, in tree: ViewTree) {
    self.owner = owner
    self.tree = tree
    environment = owner.environment
    // Native views draw themselves as HTML.
    output = MarkupOutput(dialect: tree.output)
  }

  // MARK: - Markup

  mutating func write(text: String) { output.escape(text, inAttribute: false) }

  mutating func open(_ tag: String, _ attributes: KeyValuePairs<String, String?>) {
    let attributes = attributes.compactMap { name, value in value.map { Element.Attribute(name, $0) } }
    _ = output.open(.element(Element(tag: tag, attributes: attributes)))
  }

  mutating func close(_ tag: String) {
    let element = Element(tag: tag)
    if output.hasEndTag(element) { output.close(.element(element)) }
  }

  /// An element as it stands, with the views of the elements in it.
  ///
  /// - Complexity: O(*children* + *characters*).
  mutating func write(_ node: ElementNode) {
    let content = node.element.map(NodeContent.element) ?? .root
    guard output.open(content) else { return }
    let isRaw = output.holdsRawText(content)
    if case .text(let text)? = node.children.first { output.startContent(content, first: .text(text)) }
    for child in node.children {
      switch child {
      case .element(let node): add(node)
      case .text(let text): output.write(text: text, isRaw: isRaw)
      case .comment(let comment): _ = output.open(.comment(comment))
      case .processingInstruction(let instruction): _ = output.open(.processingInstruction(instruction))
      }
    }
    output.close(content)
  }

  // MARK: - Views

  /// A view with a body. It stays the one that it was where the last body had it too.
  mutating func add<Content: View>(_ view: Content) {
    flush()
    // Two views in one place cannot be told apart; a body that is written by hand has none.
    let child = children[key] ?? owner.child(at: key, showing: view, in: environment, of: tree)
    children[key] = child
    drawing.pieces.append(.view(child))
  }

  /// The view of an element.
  mutating func add(_ element: NodeRef) {
    flush()
    drawing.pieces.append(.element(element))
    if environment != owner.environment { owner.environments[element] = environment }
  }

  /// Goes on at a place below this one.
  mutating func at(_ step: ViewKey.Step, _ body: (inout Expansion) -> Void) {
    key.steps.append(step)
    body(&self)
    key.steps.removeLast()
  }

  /// Goes on in another environment.
  mutating func with(_ change: (inout EnvironmentValues) -> Void, _ body: (inout Expansion) -> Void) {
    let outer = environment
    change(&environment)
    body(&self)
    environment = outer
  }

  mutating func finish() -> Drawing {
    flush()
    return drawing
  }

  private mutating func flush() {
    guard !output.bytes.isEmpty else { return }
    drawing.pieces.append(.markup(output.bytes))
    output.bytes = []
  }
}

/// Where a view stands in the body that holds it: what makes it the same when that is evaluated again.
struct ViewKey: Hashable {
  enum Step: Hashable {
    case position(Int)
    case branch(Bool)
    case type(ObjectIdentifier)
    case id(AnyHashable, ordinal: Int)
  }

  var steps: [Step] = []
}
