/// Searches for elements by a selector. Routes such as `GET /views/{view}/nodes` and the commands
/// of `JS` use these methods.
extension Document {
  /// The first element that a selector matches, in document order.
  ///
  /// - Complexity: O(*nodes* · *compounds*).
  package func node(matching selector: Selector) -> NodeRef? {
    DocumentElements(self).nodes(matching: selector, limit: 1).first
  }

  /// The elements that a selector matches, in document order.
  ///
  /// - Parameter inside: only descendants of this element are returned; `nil` for all elements.
  /// - Complexity: O(*nodes* · *compounds*).
  package func allNodes(matching selector: Selector, inside: NodeRef? = nil) -> [NodeRef] {
    DocumentElements(self).nodes(matching: selector, inside: inside)
  }

  /// The element itself if a selector matches it, otherwise its nearest matching ancestor.
  package func closestNode(matching selector: Selector, from node: NodeRef) -> NodeRef? {
    DocumentElements(self).closest(selector, from: node)
  }
}

/// The elements of a document that scripts of the page would find.
struct DocumentElements: SelectableTree {
  private let document: Document
  /// The ids of the templates whose content is shown at a target in the document.
  private let shownTemplates: Set<String>

  init(_ document: Document) {
    self.document = document
    shownTemplates = Set(document.marks.portals.values)
  }

  var top: NodeRef { document.root }

  func element(_ node: NodeRef) -> Element? { document.content(of: node)?.element }
  func parent(of node: NodeRef) -> NodeRef? { document.parent(of: node) }

  func elements(in node: NodeRef) -> [NodeRef] {
    if let element = element(node), isHiddenTemplate(element) { return [] }
    return document.children(of: node).filter { element($0) != nil }
  }

  /// Whether an element is a `template` whose content is not searched. The content of a portal's
  /// `template` is searched only if the document does not contain the element that the portal
  /// shows.
  private func isHiddenTemplate(_ element: Element) -> Bool {
    guard document.dialect.hasHTMLElements, element.isHTML("template") else { return false }
    return element["data-phx-portal"] == nil || element.id.map(shownTemplates.contains) ?? false
  }

  func isEmpty(_ node: NodeRef) -> Bool {
    document.children(of: node).allSatisfy { child in
      switch document.content(of: child) {
      case .element, .text: false
      default: true
      }
    }
  }
}

/// The elements of a patch that scripts see below `top`. ``ClientPatch`` searches them for the
/// targets of portals and of `JS` commands.
struct PatchedElements: SelectableTree {
  let tree: PatchTree
  let top: PatchTree.Index

  func element(_ node: PatchTree.Index) -> Element? { tree.element(node) }
  func parent(of node: PatchTree.Index) -> PatchTree.Index? { tree.parent(node) }

  func elements(in node: PatchTree.Index) -> [PatchTree.Index] {
    tree.firstChild(node) == nil ? [] : tree.elements(in: node)
  }

  func isEmpty(_ node: PatchTree.Index) -> Bool {
    var child = tree.firstChild(node)
    while let step = child {
      switch tree[step].content {
      case .element, .text: return false
      default: child = tree.next(step)
      }
    }
    return true
  }
}
