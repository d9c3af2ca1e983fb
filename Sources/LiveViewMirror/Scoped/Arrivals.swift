internal import MarkupDocument
internal import RenderedTree

/// What the regions of an update bring: ids and components that must not come to stand twice, or be torn from where they
/// are. Within one region the morph sees to that; between regions only the full path can.
struct Arrivals {
  private var ids: Set<String> = []
  private var components: Set<Int> = []

  func isDisjoint(with others: Arrivals) -> Bool {
    others.ids.isDisjoint(with: ids) && others.components.isDisjoint(with: components)
  }

  mutating func add(_ others: Arrivals) {
    ids.formUnion(others.ids)
    components.formUnion(others.components)
  }

  mutating func forget(_ others: Arrivals) {
    ids.subtract(others.ids)
    components.subtract(others.components)
  }

  /// - Throws: where something in the region stands outside of it as well, before or after the update.
  mutating func check(
    _ page: Page, below parent: NodeTree.Index, components shown: Set<Int>, _ excerpt: Document,
    in document: Document
  ) throws(FullPath) {
    try page.checkClientRules(below: parent)
    if document.hasDuplicateIDs {
      for node in excerpt.nodes(from: excerpt.root) {
        if let id = document.content(of: node)?.element?.id { try Self.single(id, in: document) }
      }
    }
    for node in page.tree.preorder(from: parent) where node != parent {
      guard let id = page.tree[node].element?.id else { continue }
      guard ids.insert(id).inserted else { throw FullPath("the id \"\(id)\" comes twice") }
      try Self.single(id, in: document)
      if let known = document.node(withID: id), !excerpt.contains(known) {
        throw FullPath("the id \"\(id)\" stands in another part of the page")
      }
    }
    for cid in shown {
      guard components.insert(cid).inserted, document.nodes(ofComponent: cid).allSatisfy(excerpt.contains) else {
        throw FullPath("component \(cid) comes from another part of the page")
      }
    }
  }

  private static func single(_ id: String, in document: Document) throws(FullPath) {
    if document.count(ofID: id) > 1 { throw FullPath("the id \"\(id)\" stands more than once") }
  }
}
