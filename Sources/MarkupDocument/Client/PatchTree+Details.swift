/// The rules of a browser for `details` elements with a `name`. At most one element of each name is
/// open in a tree of nodes.
///
/// If an open element is inserted into a tree that already has an open element of this name, the
/// browser closes the inserted one. If an element in the tree is opened, the browser closes the
/// others that have its name. The parsed markup is one tree, the document another one, and the
/// content of each `template` is a tree of its own.
///
/// ``PatchTree`` calls these methods when it makes or inserts nodes, and ``ClientPatch`` when it
/// sets attributes.
extension PatchTree {
  /// The `details` elements that can exclude each other.
  struct DetailsGroup: Hashable {
    /// The `template` whose content contains the elements; -1 outside of all templates.
    let template: Index
    let name: String
  }

  /// Identifies a tree of nodes by its topmost node, or by the `template` whose content it is.
  struct Top: Equatable {
    let node: Index
    let isContent: Bool
  }

  /// Finds the tree of nodes that contains a node.
  ///
  /// - Parameter parent: the parent from which the search starts; `nil` for the node's own parent.
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

  /// Registers a new node if it is an open `details` element with a name.
  mutating func noteDetails(_ node: Index) {
    guard isPatchedByBrowser, let name = nodes[Int(node)].openDetailsName else { return }
    openDetails[DetailsGroup(template: Self.none, name: name), default: []].insert(node)
  }

  /// Closes the inserted `details` elements whose name already has an open element in the tree.
  ///
  /// - Complexity: O(*nodes inserted*) if the tree has open `details` elements with names.
  mutating func closeArrivingDetails(in node: Index) {
    var step: Index? = node
    while let element = step {
      let isSkipped = nodes[Int(element)].isSkipped
      if !isSkipped, let name = nodes[Int(element)].openDetailsName { closeArriving(element, named: name) }
      step = successor(of: element, within: node, skippingChildren: isSkipped)
    }
  }

  /// Closes an element if another one of its group is open.
  private mutating func closeArriving(_ node: Index, named name: String) {
    openDetails[DetailsGroup(template: Self.none, name: name)]?.remove(node)
    if others(of: node, named: name).isEmpty { note(node, named: name) } else { close(node) }
  }

  /// Closes the `details` elements that a browser closes when the attributes of `node` change. The
  /// client sets attributes one by one, beginning with the last one of the new element.
  ///
  /// - Client: `morphAttrs` in `morphdom.js`, 1.0+. Origin: none known.
  /// - Parameter new: the element whose order of attributes counts.
  mutating func excludeDetails(_ node: Index, changedFrom old: Element, inOrderOf new: Element?) {
    guard isPatchedByBrowser, old.isHTML("details"), let now = element(node), old.attributes != now.attributes else {
      return
    }
    var isOpen = old["open"] != nil
    var name = old["name"]
    for attribute in (new?.attributes ?? []).reversed() where now[attribute.name] != old[attribute.name] {
      if attribute.name == "name" {
        name = now["name"]
        if isOpen, let name, !name.isEmpty, !others(of: node, named: name).isEmpty {
          isOpen = false
        }
      } else if attribute.name == "open", !isOpen {
        isOpen = true
        if let name, !name.isEmpty { for other in others(of: node, named: name) { close(other) } }
      }
    }
    if !isOpen, now["open"] != nil { return close(node) }
    if let name = nodes[Int(node)].openDetailsName { note(node, named: name) }
  }

  private mutating func note(_ node: Index, named name: String) {
    openDetails[group(of: node, named: name), default: []].insert(node)
  }

  private func group(of node: Index, named name: String) -> DetailsGroup {
    var above = parent(node)
    while let step = above, !nodes[Int(step)].isTemplate { above = parent(step) }
    return DetailsGroup(template: above ?? Self.none, name: name)
  }

  /// The other open elements with the name in the same tree. At most one, except while attributes
  /// are being set.
  private func others(of node: Index, named name: String) -> [Index] {
    guard let known = openDetails[group(of: node, named: name)], known.count > 1 || !known.contains(node) else {
      return []
    }
    let top = top(of: node)
    return known.filter { other in
      other != node && nodes[Int(other)].openDetailsName == name && !isLeftOut(other) && self.top(of: other) == top
    }
  }

  /// Whether an element is inside of a skipped element, whose content a browser does not have.
  private func isLeftOut(_ node: Index) -> Bool {
    sequence(first: node) { parent($0) }.contains { nodes[Int($0)].isSkipped }
  }

  private mutating func close(_ node: Index) {
    guard case .element(var element) = nodes[Int(node)].content else { return }
    if let name = nodes[Int(node)].openDetailsName { openDetails[group(of: node, named: name)]?.remove(node) }
    hasClosedDetails = true
    element.attributes.removeAll { $0.name == "open" }
    self[node].content = .element(element)
  }
}

extension PatchTree.Node {
  /// The name of an open `details` element; `nil` if the node is not such an element, or has no
  /// name.
  var openDetailsName: String? {
    guard isElement, case .element(let element) = content else { return nil }
    return element.openDetailsName
  }
}

extension Element {
  /// Whether this is a `details` element with a name. A browser may close it, or close others
  /// because of it.
  package var isNamedDetails: Bool { isHTML("details") && self["name"].map { !$0.isEmpty } == true }

  fileprivate var openDetailsName: String? { isNamedDetails && self["open"] != nil ? self["name"] : nil }
}
