package import LiveViewMirror
package import MarkupDocument
internal import RenderedTree

/// The intermediate results of one update: the rendered markup, the parsed nodes, and for each
/// parsed node the node of the document that it became. ``UpdateSteps`` shows them. They are not
/// stored but computed again from the log.
///
/// A full update renders and parses the whole page. A scoped update has a part for each start tag
/// whose attributes changed, and one for each element whose children changed: a region from the
/// first to the last changed child.
package struct UpdateArtefacts: Sendable {
  /// A part of the page.
  package struct Part: Sendable {
    /// The element of the document that contains the part; `nil` for the whole page.
    package let parent: NodeRef?
    /// The rendered markup. For a region, the markup is written from the parsed nodes.
    package let markup: String
    /// The nodes that the parser has made of the markup, in document order.
    package let nodes: [ParsedNode]
  }

  /// A node that the parser has made, before it is merged into the document.
  package struct ParsedNode: Sendable {
    package let content: NodeContent
    /// The index of the parent in ``Part/nodes``; `nil` at the top of the part.
    package let parent: Int?
    /// The node of the document that it became; `nil` for ``Pairing/notTaken``.
    package let node: NodeRef?
    package let pairing: Pairing
  }

  /// Why a parsed node became a node that was in the document before the update, or did not.
  package enum Pairing: String, Sendable, CaseIterable {
    case sameID = "same id"
    case sameKey = "same key"
    case sameComponent = "same component"
    /// The node has no id, key or component. It was paired by its tag or kind, and by its place
    /// among its siblings.
    case samePlace = "same place"
    case new
    /// The client keeps its own nodes, such as the content of an ignored element.
    case notTaken = "not taken over"
  }

  package let parts: [Part]
  /// The nodes that the update removed from the document.
  package let removed: [NodeRef]
}

extension ViewState {
  /// The artefacts of an update.
  ///
  /// - Returns: `nil` if the log does not have the version any more, or the page cannot be
  ///   rendered.
  /// - Complexity: as a full update, and that of ``document(at:)``.
  package func artefacts(of version: Int) -> UpdateArtefacts? {
    guard let record = log.record(of: version), let after = document(at: version),
      let (tree, before) = beginning(of: version), let rendering = try? tree.render()
    else { return nil }
    let page = Page(rendering, dialect: after.dialect)
    let pairs = NodePairs(page, before: before, after: after, client: client)
    let parts =
      switch record.path {
      case .full: [pairs.part(from: rendering.markup)]
      case .scoped: pairs.parts(changedBy: record.changeSet)
      }
    let others = pairs.partsBesidePage(changedBy: record.changeSet)
    return UpdateArtefacts(parts: parts + others, removed: record.changeSet.changes.flatMap(\.removedNodes))
  }
}

/// The nodes of a page, each with the node of the document that it became.
private struct NodePairs {
  private let page: Page
  private let before: Document?
  private let after: Document
  private let refs: Morph.Outcome
  private var places: [NodeRef: NodeTree.Index] = [:]

  init(_ page: Page, before: Document?, after: Document, client: ClientVersion) {
    (self.page, self.before, self.after) = (page, before, after)
    // `after` is the result of merging the page. Merging the page again therefore changes nothing
    // and pairs each parsed node with the node that it became.
    refs = Morph.changes(from: after, to: page, rules: PatchRules(version: client))
    for place in page.tree.preorder() { if let ref = node(at: place) { places[ref] = place } }
    places[after.root] = NodeTree.root
  }

  private func node(at place: NodeTree.Index) -> NodeRef? {
    refs.ref(of: place).flatMap { after.contains($0) ? $0 : nil }
  }

  /// The whole page.
  func part(from markup: [UInt8]) -> UpdateArtefacts.Part {
    part(of: Array(page.tree.children(of: NodeTree.root)), in: nil, as: String(decoding: markup, as: UTF8.self))
  }

  /// The regions of changes. A region inside of another one is left out.
  func parts(changedBy changes: ChangeSet) -> [UpdateArtefacts.Part] {
    var tags: [NodeTree.Index] = []
    var changed: [NodeTree.Index: Set<NodeTree.Index>] = [:]
    for change in changes.changes {
      switch change {
      case .attributes(let node, _, _): if let place = places[node] { tags.append(place) }
      case .text(let node, let parent, _, _): if places[node] != nil { note(node, in: parent, &changed) }
      case .add(let subtree, let position): note(subtree.root, in: position.parent, &changed)
      case .move(let node, _, _, let position): note(node, in: position.parent, &changed)
      case .remove(_, let position, _): note(nil, in: position.parent, &changed)
      }
    }
    var covered: Set<NodeTree.Index> = []
    var runs: [(parent: NodeTree.Index, children: [NodeTree.Index])] = []
    for parent in page.tree.preorder() {
      guard !covered.contains(parent), let marked = changed[parent] else { continue }
      let children = Array(page.tree.children(of: parent))
      let first = children.firstIndex(where: marked.contains)
      let run =
        first.flatMap { first in children.lastIndex(where: marked.contains).map { Array(children[first...$0]) } } ?? []
      for child in run { covered.formUnion(page.tree.preorder(from: child)) }
      runs.append((parent, run))
    }
    let regions = runs.map { parent, run in
      part(
        of: run, in: node(at: parent) ?? after.root,
        as: run.map { page.tree.markup(of: $0, dialect: page.dialect) }.joined())
    }
    return tags.filter { !covered.contains($0) }.map(tag) + regions
  }

  /// The changed texts and start tags that the rendered page does not contain. They belong to
  /// components that only a stream item of an earlier diff shows. The Rendered no longer has this
  /// item, so such components are rendered on their own.
  func partsBesidePage(changedBy changes: ChangeSet) -> [UpdateArtefacts.Part] {
    changes.changes.compactMap { change in
      switch change {
      case .text(let node, _, _, _), .attributes(let node, _, _):
        guard places[node] == nil, let content = after.content(of: node) else { return nil }
        return part(of: content, in: after.parent(of: node), as: node, origin: nil)
      case .add, .remove, .move: return nil
      }
    }
  }

  private func note(_ child: NodeRef?, in parent: NodeRef, _ changed: inout [NodeTree.Index: Set<NodeTree.Index>]) {
    guard let parent = places[parent] else { return }
    changed[parent, default: []].formUnion(child.flatMap { places[$0] }.map { [$0] } ?? [])
  }

  /// A start tag.
  private func tag(_ place: NodeTree.Index) -> UpdateArtefacts.Part {
    let parent = page.tree.parent(of: place).flatMap { $0 == NodeTree.root ? after.root : node(at: $0) }
    return part(of: page.tree[place], in: parent, as: node(at: place), origin: page.origins[place])
  }

  /// A node without its children.
  private func part(
    of content: NodeContent, in parent: NodeRef?, as node: NodeRef?, origin: Origin?
  ) -> UpdateArtefacts.Part {
    var tree = NodeTree()
    let place = tree.make(content)
    tree.append(place, to: NodeTree.root)
    return UpdateArtefacts.Part(
      parent: parent, markup: tree.markup(of: place, dialect: page.dialect),
      nodes: [parsed(content, in: nil, as: node, origin: origin)])
  }

  private func part(of tops: [NodeTree.Index], in parent: NodeRef?, as markup: String) -> UpdateArtefacts.Part {
    var nodes: [UpdateArtefacts.ParsedNode] = []
    var indexes: [NodeTree.Index: Int] = [:]
    for top in tops {
      for place in page.tree.preorder(from: top) {
        indexes[place] = nodes.count
        let parent = page.tree.parent(of: place).flatMap { indexes[$0] }
        nodes.append(parsed(page.tree[place], in: parent, as: node(at: place), origin: page.origins[place]))
      }
    }
    return UpdateArtefacts.Part(parent: parent, markup: markup, nodes: nodes)
  }

  private func parsed(
    _ content: NodeContent, in parent: Int?, as node: NodeRef?, origin: Origin?
  ) -> UpdateArtefacts.ParsedNode {
    UpdateArtefacts.ParsedNode(
      content: content, parent: parent, node: node, pairing: pairing(of: content, with: node, origin: origin))
  }

  private func pairing(of content: NodeContent, with ref: NodeRef?, origin: Origin?) -> UpdateArtefacts.Pairing {
    guard let ref else { return .notTaken }
    guard let old = before?.content(of: ref) else { return .new }
    if let id = content.element?.id, id == old.element?.id { return .sameID }
    guard let origin else { return .samePlace }
    return origin.group == Origin.components ? .sameComponent : .sameKey
  }
}
