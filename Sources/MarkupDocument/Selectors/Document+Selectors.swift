extension Document: SelectableTree {
  var top: NodeRef { root }

  func element(_ node: NodeRef) -> Element? { content(of: node)?.element }

  package func elements(in node: NodeRef) -> [NodeRef] {
    guard let place = treeIndex(of: node), !isHiddenTemplate(tree[place], node) else { return [] }
    return tree.children(of: place).compactMap { tree[$0].element == nil ? nil : ref($0) }
  }

  /// Whether the content of an element is not among the elements that a browser finds. The content of a portal is shown elsewhere: at
  /// a target in the document, or outside of it, where only the `template` has it.
  private func isHiddenTemplate(_ content: NodeContent, _ node: NodeRef) -> Bool {
    guard dialect.hasHTMLElements, let element = content.element, element.isHTML("template") else { return false }
    return element["data-phx-portal"] == nil || shown(ofPortal: node) != nil
  }

  func isEmpty(_ node: NodeRef) -> Bool {
    children(of: node).allSatisfy { child in
      switch content(of: child) {
      case .element, .text: false
      default: true
      }
    }
  }

  /// The first element that a selector matches, in document order.
  ///
  /// - Complexity: O(*nodes* · *compounds*).
  package func node(matching selector: Selector) -> NodeRef? { nodes(matching: selector, limit: 1).first }

  /// The elements that a selector matches, in document order.
  ///
  /// - Parameter inside: only descendants of this element are returned; `nil` for all elements.
  /// - Complexity: O(*nodes* · *compounds*).
  package func allNodes(matching selector: Selector, inside: NodeRef? = nil) -> [NodeRef] {
    nodes(matching: selector, inside: inside)
  }

  /// The nearest of an element and its ancestors that a selector matches.
  package func closestNode(matching selector: Selector, from node: NodeRef) -> NodeRef? {
    closest(selector, from: node)
  }
}

/// The elements that scripts see: the tree of a patch below its root.
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
