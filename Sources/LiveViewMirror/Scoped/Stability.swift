internal import MarkupDocument

/// Checks that a page is stable: patching it once more changes nothing. Only then may a scoped
/// update ignore the parts of the page that a diff does not name. Linking and ``FullUpdate`` call
/// the checks of this file.
extension NodeTree {
  /// Whether all containers, that is elements with `phx-update`, are stable.
  ///
  /// Each container must have an id, as LiveView demands: the client finds a container without an
  /// id by its place in the page, which other changes can shift. In the container of a stream, all
  /// elements must have ids too: when the client creates a container, it adds every child that the
  /// page lists, but the next patch removes the children without an id. If there are containers, no
  /// two elements may have the same id.
  ///
  /// - Complexity: O(*nodes*).
  func hasStableContainers(below top: Index = root) -> Bool {
    var containers: [Index] = []
    for node in preorder(from: top) {
      guard let element = self[node].element, element.updateRule != .replace else { continue }
      if element.id == nil || element.updateRule == .stream && !hasItemsOnly(node) { return false }
      containers.append(node)
    }
    return containers.isEmpty || hasSingleIDs(below: top)
  }

  /// Whether no two elements have the same id. If the page shows the id of a node that only the
  /// document keeps, the next patch removes that node.
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
  /// Whether an element has `phx-update="ignore"` in the document but not in the page. This is
  /// possible because an ignored element keeps its attributes. The document then does not show the
  /// content that the page has in the element, although the ids in that content count as used.
  ///
  /// - Parameter nodeNumbers: the document numbers of the page's nodes, by index in the page's
  ///   storage.
  /// - Complexity: O(*nodes of the page*).
  func ignoresOtherAttributes(than page: Page, below top: NodeTree.Index, nodeNumbers: [Int]) -> Bool {
    hasClientRules
      && page.tree.preorder(from: top).contains { node in
        guard nodeNumbers[Int(node.raw)] != 0, let element = page.tree[node].element,
          let place = treeIndex(of: NodeRef(epoch: epoch, number: nodeNumbers[Int(node.raw)]))
        else { return false }
        return tree[place].element?.updateRule == .ignore && element.updateRule != .ignore
      }
  }
}

extension Marks {
  /// Whether no component or function component has several root elements. LiveView's client
  /// matches one of several roots and leaves the other roots, so that the document shows elements
  /// that the page no longer has.
  var haveSingleRoots: Bool {
    guard Set(roots.values).count == roots.count else { return false }
    var met: Set<Int> = []
    return origins.values.allSatisfy { origin in
      guard let component = origin.rootComponent else { return true }
      return met.insert(component).inserted
    }
  }

  /// Whether no component or entry is shown twice. If one of two copies is removed, the other copy
  /// takes its identity.
  var areSingle: Bool {
    var met: Set<Origin> = []
    return origins.values.allSatisfy { met.insert($0).inserted }
  }
}

extension ChangeSet {
  /// Whether the `phx-update` attribute of an element changes. Its children were still compared by
  /// the old rule.
  var changesUpdateRules: Bool {
    changes.contains { change in
      guard case .attributes(_, _, let attributes) = change else { return false }
      return attributes.contains { $0.name == "phx-update" || $0.name == "data-phx-update" }
    }
  }
}
