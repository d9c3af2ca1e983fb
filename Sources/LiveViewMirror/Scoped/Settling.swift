internal import MarkupDocument

/// Whether a page that is shown again changes nothing. A scoped update may only look away from what a diff does not name
/// if that holds.
extension NodeTree {
  /// Whether all children of streams' containers are such as streams have. A new container takes every child that the page
  /// lists; at the next update it drops what has no id, as a browser does. And whether every container has an id itself, as
  /// LiveView demands: one without is found by its place, which the whole page tells, and what it keeps hangs on that.
  ///
  /// - Complexity: O(*nodes*).
  func isSettled(below top: Index = root) -> Bool {
    var containers: [Index] = []
    for node in preorder(from: top) {
      guard let element = self[node].element, element.updateRule != .replace else { continue }
      if element.id == nil || element.updateRule == .stream && !hasItemsOnly(node) { return false }
      containers.append(node)
    }
    return containers.isEmpty || hasSingleIDs(below: top)
  }

  /// What only the document keeps goes, at the next update, where the page shows its id.
  private func hasSingleIDs(below top: Index) -> Bool {
    var ids: Set<String> = []
    return preorder(from: top).allSatisfy { self[$0].element?.id.map { ids.insert($0).inserted } ?? true }
  }

  private func hasItemsOnly(_ container: Index) -> Bool {
    var ids: Set<String> = []
    return children(of: container).allSatisfy { child in
      switch self[child] {
      case .element(let element): element.id.map { ids.insert($0).inserted } ?? false
      case .text(let text): text.allSatisfy(\.isWhitespace)
      case .comment, .processingInstruction, .root: true
      }
    }
  }
}

extension Document {
  /// Whether an element goes on to be ignored that the page no longer says is: an ignored element keeps its attributes. What
  /// the page lists inside of it is seen by nobody, and its ids are still not to be had.
  ///
  /// - Parameter names: by place in the page's storage, the numbers of its nodes.
  /// - Complexity: O(*nodes of the page*).
  func ignoresMore(than page: Page, below top: NodeTree.Index, names: [Int]) -> Bool {
    page.tree.preorder(from: top).contains { node in
      guard names[Int(node.raw)] != 0, let element = page.tree[node].element,
        let place = place(of: NodeRef(epoch: epoch, number: names[Int(node.raw)]))
      else { return false }
      return tree[place].element?.updateRule == .ignore && element.updateRule != .ignore
    }
  }
}

extension Marks {
  /// Whether no component and no function component has more than one root element. A patch by LiveView's client matches one of
  /// several and leaves the others, so that the document goes on to show what the page does not.
  var haveSingleRoots: Bool {
    guard Set(roots.values).count == roots.count else { return false }
    var met: Set<Int> = []
    return origins.values.allSatisfy { origin in
      guard let component = origin.rootComponent else { return true }
      return met.insert(component).inserted
    }
  }

  /// Whether no component and no entry stands twice: when one of the two goes, the other becomes it.
  var areSingle: Bool {
    var met: Set<Origin> = []
    return origins.values.allSatisfy { met.insert($0).inserted }
  }
}

extension ChangeSet {
  /// Whether a container keeps its children from now on or does so no longer: this update still went by the old rule.
  var changesUpdateRules: Bool {
    changes.contains { change in
      guard case .attributes(_, _, let attributes) = change else { return false }
      return attributes.contains { $0.name == "phx-update" || $0.name == "data-phx-update" }
    }
  }
}
