/// `details` elements with a `name`: a browser keeps at most one of a name open, in each tree of nodes.
///
/// It closes an open one that comes into a tree where another one is open, and all others where one is opened. Markup that
/// is parsed is such a tree, the document another, and so is the content of a `template`.
extension PatchTree {
  struct DetailsGroup: Hashable {
    /// The `template` around it, in whose content it stands.
    let template: Index
    let name: String
  }

  /// A tree of nodes: its topmost node, or the `template` whose content it is.
  struct Top: Equatable {
    let node: Index
    let isContent: Bool
  }

  /// The top of the tree that a node is in.
  ///
  /// - Parameter parent: counts instead of the node's own.
  /// - Complexity: O(*depth*).
  func top(of node: Index, in parent: Index? = nil) -> Top {
    var top = node
    var above = parent ?? self.parent(node)
    while let step = above {
      if nodes[Int(step)].isTemplate { return Top(node: step, isContent: true) }
      top = step
      above = self.parent(step)
    }
    return Top(node: top, isContent: false)
  }

  /// Notes a new node.
  mutating func noteDetails(_ node: Index) {
    guard isHTML, let name = nodes[Int(node)].openDetailsName else { return }
    openDetails[DetailsGroup(template: Self.none, name: name), default: []].insert(node)
  }

  /// - Complexity: O(*nodes in it*), in a tree with open `details` elements that have names.
  mutating func closeArrivingDetails(in node: Index) {
    var step: Index? = node
    while let element = step {
      if nodes[Int(element)].isSkipped {
        step = skipping(element, within: node)
        continue
      }
      if let name = nodes[Int(element)].openDetailsName { closeArriving(element, name) }
      step = successor(of: element, within: node)
    }
  }

  /// The node behind one and all in it.
  private func skipping(_ node: Index, within top: Index) -> Index? {
    var node = node
    while node != top {
      if let sibling = next(node) { return sibling }
      guard let above = parent(node) else { return nil }
      node = above
    }
    return nil
  }

  /// Closes an element if another one of its group is open.
  private mutating func closeArriving(_ node: Index, _ name: String) {
    openDetails[DetailsGroup(template: Self.none, name: name)]?.remove(node)
    if others(of: node, name).isEmpty { note(node, name) } else { close(node) }
  }

  /// What changes with the attributes of an element: they are set one by one, the last of the new ones first.
  ///
  /// - Parameter new: the element in whose order they are set.
  mutating func excludeDetails(_ node: Index, changedFrom old: Element, inOrderOf new: Element?) {
    guard isHTML, old.isHTML("details"), let now = element(node), old.attributes != now.attributes else { return }
    var isOpen = old["open"] != nil
    var name = old["name"]
    for attribute in (new?.attributes ?? []).reversed() where now[attribute.name] != old[attribute.name] {
      if attribute.name == "name" {
        name = now["name"]
        if isOpen, let name, !name.isEmpty, !others(of: node, name).isEmpty {
          isOpen = false
        }
      } else if attribute.name == "open", !isOpen {
        isOpen = true
        if let name, !name.isEmpty { for other in others(of: node, name) { close(other) } }
      }
    }
    if !isOpen, now["open"] != nil { return close(node) }
    if let name = nodes[Int(node)].openDetailsName { note(node, name) }
  }

  private mutating func note(_ node: Index, _ name: String) {
    openDetails[group(of: node, name), default: []].insert(node)
  }

  private func group(of node: Index, _ name: String) -> DetailsGroup {
    var above = parent(node)
    while let step = above, !nodes[Int(step)].isTemplate { above = parent(step) }
    return DetailsGroup(template: above ?? Self.none, name: name)
  }

  /// The other open ones of the name in the same tree, at most one but for a moment.
  private func others(of node: Index, _ name: String) -> [Index] {
    guard let known = openDetails[group(of: node, name)], known.count > 1 || !known.contains(node) else { return [] }
    let top = top(of: node)
    return known.filter { other in
      other != node && nodes[Int(other)].openDetailsName == name && !isLeftOut(other) && self.top(of: other) == top
    }
  }

  private func isLeftOut(_ node: Index) -> Bool {
    var step: Index? = node
    while let node = step {
      if nodes[Int(node)].isSkipped { return true }
      step = parent(node)
    }
    return false
  }

  private mutating func close(_ node: Index) {
    guard case .element(var element) = nodes[Int(node)].content else { return }
    if let name = nodes[Int(node)].openDetailsName { openDetails[group(of: node, name)]?.remove(node) }
    hasClosedDetails = true
    element.attributes.removeAll { $0.name == "open" }
    self[node].content = .element(element)
  }
}

extension PatchTree.Node {
  /// The name of an open `details` element that excludes others.
  var openDetailsName: String? {
    guard isElement, case .element(let element) = content else { return nil }
    return element.openDetailsName
  }
}

extension Element {
  /// Whether a browser may close the element because of another one, or the other way round.
  package var isNamedDetails: Bool { isHTML("details") && self["name"].map { !$0.isEmpty } == true }

  fileprivate var openDetailsName: String? { isNamedDetails && self["open"] != nil ? self["name"] : nil }
}
