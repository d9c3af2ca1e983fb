internal import MarkupDocument
internal import RenderedTree

/// The ids and components that the parts of an update contain. Each id and each component must be
/// in one part only, and must not be elsewhere in the page. A morph resolves such conflicts within
/// a region. Only a full update resolves them between regions.
///
/// ``ScopedContext`` has the claims of all parts. A list or stream first collects its claims
/// separately. ``ScopedUpdate`` adds these claims together with the list or stream, and releases
/// them if it drops that part.
struct Claims {
  private var ids: Set<String> = []
  private var components: Set<Int> = []

  func isDisjoint(with others: Claims) -> Bool {
    others.ids.isDisjoint(with: ids) && others.components.isDisjoint(with: components)
  }

  mutating func add(_ others: Claims) {
    ids.formUnion(others.ids)
    components.formUnion(others.components)
  }

  mutating func release(_ others: Claims) {
    ids.subtract(others.ids)
    components.subtract(others.components)
  }

  /// Claims the ids and components of a part of the update.
  ///
  /// - Parameters:
  ///   - page: the parsed markup of the part.
  ///   - parent: the node of `page` whose children are the part.
  ///   - shown: the components that the part shows.
  ///   - excerpt: the same part of the document before the update.
  ///   - document: the document before the update.
  /// - Throws: if another part has claimed an id or component, or the document has it outside of
  ///   the excerpt. Also if the markup has an element for which the client has special rules.
  mutating func claim(
    _ page: Page, below parent: NodeTree.Index, components shown: Set<Int>, _ excerpt: Document,
    in document: Document
  ) throws(FullUpdateReason) {
    try page.checkClientRules(below: parent)
    if document.hasDuplicateIDs {
      for node in excerpt.nodes(from: excerpt.root) {
        if let id = document.content(of: node)?.element?.id { try Self.requireUniqueID(id, in: document) }
      }
    }
    for node in page.tree.preorder(from: parent) where node != parent {
      guard let id = page.tree[node].element?.id else { continue }
      guard ids.insert(id).inserted else { throw .repeatedID(id) }
      try Self.requireUniqueID(id, in: document)
      if let known = document.node(withID: id), !excerpt.contains(known) {
        throw .sharedID(id)
      }
    }
    // Sorted, so that the reason names the same component in every process.
    for cid in shown.sorted() {
      guard components.insert(cid).inserted, document.nodes(ofComponent: cid).allSatisfy(excerpt.contains) else {
        throw .sharedComponent(cid)
      }
    }
  }

  private static func requireUniqueID(_ id: String, in document: Document) throws(FullUpdateReason) {
    if document.count(ofID: id) > 1 { throw .duplicateID(id) }
  }
}
