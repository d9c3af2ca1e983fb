internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorAnalysis

/// The part of a page that one diff changed, before or after it, as a small document. The tab
/// *Diff* of ``ViewPage`` shows both as pictures: ``ViewRoutes`` sends each as a ``DocumentPage``.
///
/// It has the innermost element around all changes, with the element's ancestors, because style
/// sheets select by them. If the element has more than ``mostNodes`` nodes, the picture has only
/// the changed nodes in it and their neighbours. An attribute marks what the diff has changed.
struct ChangePicture {
  /// Which of the two pictures.
  enum Side: String, CaseIterable { case before, after }

  /// The document to draw.
  let document: Document

  /// The attribute of the changed elements; its value is a ``ChangeMark``.
  static let attribute = "data-mirror-change"
  /// The attribute of an element whose previous or next sibling elements are left out: `before`,
  /// `after` or `both`.
  static let gapAttribute = "data-mirror-gap"
  private static let mostNodes = 80
  /// The maximum number of changes that are shown: more changes would make a picture of the whole
  /// page.
  private static let mostChanges = 100

  /// - Parameters:
  ///   - record: the diff.
  ///   - document: the document at the version of the side.
  /// - Returns: `nil` if the diff changed nothing that is shown.
  /// - Complexity: O(*siblings of changed nodes* + *their depth*).
  init?(of record: ChangeRecord, _ side: Side, in document: Document) {
    let changes = record.changeSet.changes.lazy.filter { !$0.isSeldomOfInterest }.prefix(Self.mostChanges)
    let focus = changes.flatMap { $0.places(side) }.filter { document.contains($0.node) }
    guard record.version > 0, let first = focus.first else { return nil }
    var way = document.path(to: first.around)
    for place in focus.dropFirst() where way.count > 1 {
      let other = document.path(to: place.around)
      way = zip(way, other).prefix { $0 == $1 }.map(\.0)
    }
    guard let top = way.last.flatMap(document.treeIndex) else { return nil }
    var marks: [NodeTree.Index: ChangeMark] = [:]
    for place in focus {
      guard let mark = place.mark, let node = document.treeIndex(of: place.node) else { continue }
      marks[node] = mark
    }
    var kept = Kept(document.tree, most: Self.mostNodes)
    kept.addAncestors(of: top)
    if !kept.addAll(below: top) {
      for node in focus.lazy.map(\.node).compactMap(document.treeIndex) { kept.add(node, isTop: node == top) }
    }
    let above = Set(document.tree.chain(from: top))
    self.document = document.excerpt { node in
      guard kept.nodes.contains(node) else { return nil }
      guard case .element(var element) = document.tree[node] else { return document.tree[node] }
      if let mark = marks[node] { element.attributes.append(Element.Attribute(Self.attribute, mark.rawValue)) }
      if !above.contains(node), let gap = kept.gap(beside: node) {
        element.attributes.append(Element.Attribute(Self.gapAttribute, gap))
      }
      return .element(element)
    }
  }

  /// The nodes of a picture.
  private struct Kept {
    private let tree: NodeTree
    private let most: Int
    private(set) var nodes: Set<NodeTree.Index> = []

    init(_ tree: NodeTree, most: Int) { (self.tree, self.most) = (tree, most) }

    mutating func addAncestors(of node: NodeTree.Index) { nodes.formUnion(tree.chain(from: node)) }

    /// Adds a subtree if there is room for it.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    mutating func addAll(below top: NodeTree.Index) -> Bool {
      let added = Array(tree.preorder(from: top).prefix(most + 1))
      if added.count > most { return false }
      nodes.formUnion(added)
      return true
    }

    /// Adds a node with its ancestors and at most `most` nodes of its subtree. Also adds the two
    /// neighbours of a node that is not the top of the picture, unless one has more than `most`
    /// nodes. Adds nothing once the picture has more than `3 * most` nodes.
    mutating func add(_ node: NodeTree.Index, isTop: Bool) {
      if nodes.count > 3 * most { return }
      addAncestors(of: node)
      if !addAll(below: node) { nodes.formUnion(tree.preorder(from: node).prefix(most)) }
      if isTop { return }
      for neighbour in [neighbour(of: node, tree.previous), neighbour(of: node, tree.next)].compactMap({ $0 }) {
        addAll(below: neighbour)
      }
    }

    /// The sides of an element on which the adjacent element is left out; `nil` for neither side.
    func gap(beside node: NodeTree.Index) -> String? {
      let isLeftOut = [neighbour(of: node, tree.previous), neighbour(of: node, tree.next)].map { neighbour in
        neighbour.map { !nodes.contains($0) } ?? false
      }
      return switch (isLeftOut[0], isLeftOut[1]) {
      case (true, true): "both"
      case (true, false): "before"
      case (false, true): "after"
      case (false, false): nil
      }
    }

    private func neighbour(of node: NodeTree.Index, _ step: (NodeTree.Index) -> NodeTree.Index?) -> NodeTree.Index? {
      var next = step(node)
      while let found = next, tree[found].element == nil { next = step(found) }
      return next
    }
  }
}

extension Change {
  /// A node that a picture shows, and the element that gives it its context.
  fileprivate struct Place {
    var node: NodeRef
    var around: NodeRef
    var mark: ChangeMark?
  }

  /// The places of the change in the document of the side. A text cannot have the attribute, so its
  /// element is marked as changed. An added element has no node before the change, and a removed
  /// one has none after it: the place is then the parent, without a mark.
  fileprivate func places(_ side: ChangePicture.Side) -> [Place] {
    func place(in parent: NodeRef, _ mark: ChangeMark, isElement: Bool) -> [Place] {
      isElement
        ? [Place(node: node, around: parent, mark: mark)] : [Place(node: parent, around: parent, mark: .changed)]
    }
    return switch (self, side) {
    case (.text(_, let parent, _, _), _): [Place(node: parent, around: parent, mark: .changed)]
    case (.attributes(let node, _, _), _): [Place(node: node, around: node, mark: .changed)]
    case (.add(let subtree, let position), .after):
      place(in: position.parent, .added, isElement: subtree.displayName.tag != nil)
    case (.remove(_, let position, let name), .before):
      place(in: position.parent, .removed, isElement: name.tag != nil)
    case (.move(_, let name, let from, _), .before): place(in: from.parent, .moved, isElement: name.tag != nil)
    case (.move(_, let name, _, let to), .after): place(in: to.parent, .moved, isElement: name.tag != nil)
    case (.add(_, let position), .before), (.remove(_, let position, _), .after):
      [Place(node: position.parent, around: position.parent)]
    }
  }
}
