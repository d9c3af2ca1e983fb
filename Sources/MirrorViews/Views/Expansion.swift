internal import MarkupDocument

/// Collects the result of one evaluation of a body. Each ``View`` of the body writes itself into
/// the expansion. A ``ViewTree`` creates an expansion for each evaluation of a body.
///
/// The result is a `Drawing`, a list of pieces. A piece is markup, or a placeholder for a view or
/// an element inside of the body. Before a placeholder is added to the drawing, the markup written
/// so far is added, so the pieces are in the order of the page.
public struct Expansion {
  /// The view whose body is evaluated.
  let owner: ViewNode
  private let tree: ViewTree
  var drawing = Drawing()
  /// The views of this body that have bodies of their own.
  private(set) var children: [ViewKey: ViewNode] = [:]
  private(set) var effects: [EffectKey: Effect] = [:]
  private var key = ViewKey()
  private var environment: EnvironmentValues
  private var output: MarkupOutput
  /// The texts that were written in the current control; `nil` outside of controls.
  private var label: String?
  /// The modifiers of ``View/drawn(_:)`` for the elements that are written next, the outermost
  /// first.
  private var style: [String] = []

  init(of owner: ViewNode, in tree: ViewTree) {
    self.owner = owner
    self.tree = tree
    environment = owner.environment
    // The dialect of the drawn markup may differ from that of the document, because native views
    // write HTML.
    output = MarkupOutput(dialect: tree.output)
  }

  // MARK: - Markup

  mutating func write(text: String) {
    label?.append(text)
    if !style.isEmpty { return element("span", [:]) { $0.output.escape(text, inAttribute: false) } }
    output.escape(text, inAttribute: false)
  }

  /// Writes an element. An attribute whose value is `nil` is left out.
  mutating func element(
    _ tag: String, _ attributes: KeyValuePairs<String, String?>, _ content: (inout Expansion) -> Void = { _ in }
  ) {
    var attributes = attributes.compactMap { name, value in value.map { Element.Attribute(name, $0) } }
    let outer = style
    if !outer.isEmpty { attributes.append(Element.Attribute("data-style", outer.reversed().joined(separator: "; "))) }
    style = []
    let element = Element(tag: tag, attributes: attributes)
    _ = output.open(.element(element))
    content(&self)
    if output.hasEndTag(element) { output.close(.element(element)) }
    style = outer
  }

  /// Runs `body`, and adds a modifier to the attribute `data-style` of the outermost elements that
  /// `body` writes. A text or a view with a body of its own cannot have an attribute, so it is put
  /// into an element that has one.
  mutating func styled(_ modifier: String, _ body: (inout Expansion) -> Void) {
    style.append(modifier)
    body(&self)
    style.removeLast()
  }

  /// Writes an element unchanged, with placeholders for the views of its child elements.
  ///
  /// - Complexity: O(*children* + *characters*).
  mutating func write(_ node: ElementNode) {
    if !style.isEmpty { return element("div", [:]) { $0.write(node) } }
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

  // MARK: - Controls

  /// Adds a control to the view, and runs `body`, which writes the control. The texts that `body`
  /// writes become the name by which ``ViewTree/tap(_:)`` finds the control. Without such a text
  /// the control keeps its own name, such as the prompt of a ``TextField``.
  ///
  /// The environment determines whether the control is disabled. A disabled control takes no input.
  /// `body` receives this value too.
  mutating func add(_ control: Control, _ body: (inout Expansion, _ isDisabled: Bool) -> Void) {
    var control = control
    control.isDisabled = !environment.isEnabled
    owner.environmentReads.append { $0.isEnabled == $1.isEnabled }
    let place = owner.controls.count
    owner.controls.append(control)
    let outer = label
    label = ""
    body(&self, control.isDisabled)
    let own = label ?? ""
    if !own.isEmpty { owner.controls[place].name = own }
    label = outer.map { $0 + own }
  }

  // MARK: - Effects

  /// Keeps an effect from one evaluation of the body to the next, and runs `content`, which writes
  /// the view that has the effect.
  mutating func keep<Kept: Effect>(
    _ begin: () -> Kept, _ update: (Kept, _ isNew: Bool) -> (() -> Void)?, _ content: (inout Expansion) -> Void
  ) {
    var place = EffectKey(position: key, kind: ObjectIdentifier(Kept.self))
    while effects[place] != nil { place.place += 1 }
    let known = owner.effects[place] as? Kept
    let effect = known ?? begin()
    effect.tree = tree
    effects[place] = effect
    content(&self)
    if let action = update(effect, known == nil) { tree.afterwards("an action of \(tree.describe(owner))", action) }
  }

  // MARK: - Views

  /// Adds a view that has a body of its own. If the previous evaluation of this body had a view of
  /// the same type with the same key, the new view gets the existing node.
  mutating func add<Content: View>(_ view: Content) {
    if !style.isEmpty { return element("div", [:]) { $0.add(view) } }
    flush()
    // A second view with the same key cannot be distinguished from the first one, so the first view
    // is drawn in both positions. This happens only in a body that does not use ``ViewBuilder``.
    let child = children[key] ?? owner.child(at: key, showing: view, in: environment, of: tree)
    children[key] = child
    drawing.pieces.append(.view(child))
  }

  /// Adds a placeholder for the view of an element.
  mutating func add(_ element: NodeRef) {
    if !style.isEmpty { return self.element("div", [:]) { $0.add(element) } }
    flush()
    drawing.pieces.append(.element(element))
    if environment != owner.environment { owner.environments[element] = environment }
  }

  /// Runs `body` with `step` appended to the key.
  mutating func at(_ step: ViewKey.Step, _ body: (inout Expansion) -> Void) {
    key.steps.append(step)
    body(&self)
    key.steps.removeLast()
  }

  /// Runs `body` with a changed environment.
  mutating func with(_ change: (inout EnvironmentValues) -> Void, _ body: (inout Expansion) -> Void) {
    let outer = environment
    change(&environment)
    if environment != outer { owner.setsEnvironment = true }
    body(&self)
    environment = outer
  }

  /// Adds the markup that was written last, and returns the drawing. Called once, when everything
  /// was written.
  mutating func finish() -> Drawing {
    flush()
    return drawing
  }

  /// Adds to the drawing the markup that was written since the previous call.
  private mutating func flush() {
    guard !output.bytes.isEmpty else { return }
    drawing.pieces.append(.markup(output.bytes))
    output.bytes = []
  }
}

/// The position of a view in the enclosing body. The key identifies the view in all evaluations of
/// that body.
struct ViewKey: Hashable {
  enum Step: Hashable {
    case position(Int)
    case branch(Bool)
    case type(ObjectIdentifier)
    case id(AnyHashable, ordinal: Int)
  }

  var steps: [Step] = []
}
