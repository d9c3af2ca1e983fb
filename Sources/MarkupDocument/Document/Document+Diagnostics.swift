internal import MirrorSupport

/// Diagnostics of a whole document, and the paths by which messages name its nodes. `ViewState`
/// asks for them when it records an update.
extension Document {
  /// A node with its path as a selector; `nil` if the node is not in the document. For a node that
  /// is not an element, the path is that of its parent.
  ///
  /// - Complexity: that of ``selector(of:)``.
  package func locatedNode(of node: NodeRef) -> DocumentDiagnostic.LocatedNode? {
    guard let index = treeIndex(of: node) else { return nil }
    let element = tree[index].element == nil ? tree.parent(of: index) : index
    return DocumentDiagnostic.LocatedNode(node: node, path: element.map(selector(of:)) ?? "")
  }
}

extension Document {
  /// One diagnostic for every element whose id an earlier element already has: such an element is
  /// treated as if it had no id. Each `template` has its own scope for ids. After `limit`
  /// diagnostics, one more states the number of the remaining elements.
  ///
  /// - Complexity: O(1) if no id is shared, or after ``keepDuplicateIDs()`` for this version;
  ///   otherwise the cost of ``inDocumentOrder(_:)`` for the elements that share an id.
  package func duplicateIDs(limit: Int = listedDuplicates) -> [DocumentDiagnostic] {
    if !hasDuplicateIDs { return [] }
    if limit == Self.listedDuplicates, let knownDuplicates { return knownDuplicates }
    var first: [NodeTree.Index?: [ByteString: NodeTree.Index]] = [:]
    var diagnostics: [DocumentDiagnostic] = []
    var more = 0
    for node in inDocumentOrder(refs(ids.shared.values.joined())) {
      guard let treeIndex = treeIndex(of: node), let id = tree[treeIndex].element?.id else { continue }
      let template = template(around: treeIndex)
      guard let known = first[template]?[ByteString(id)] else {
        first[template, default: [:]][ByteString(id)] = treeIndex
        continue
      }
      guard diagnostics.count < limit else {
        more += 1
        continue
      }
      let (before, path) = (selector(of: known), selector(of: treeIndex))
      diagnostics.append(
        DocumentDiagnostic(
          code: "duplicate-id", node: node,
          message: "id \"\(id)\" is used at \(before) and again at \(path); it identifies only the first element",
          subject: id, locatedNodes: [.init(node: ref(known), path: before), .init(node: node, path: path)]))
    }
    if more > 0 {
      diagnostics.append(
        DocumentDiagnostic(code: "duplicate-id", node: nil, message: "and \(more) more duplicate ids", subject: ""))
    }
    return diagnostics
  }

  /// The innermost `template` around a node.
  ///
  /// - Complexity: O(*depth*).
  private func template(around node: NodeTree.Index) -> NodeTree.Index? {
    if !dialect.hasHTMLElements { return nil }
    return tree.chain(from: node).dropFirst().first { tree[$0].element?.isHTML("template") == true }
  }

  /// Caches ``duplicateIDs(limit:)`` until a change adds, removes or moves an element or changes an
  /// id. So text changes in a page with duplicate ids do not search for the duplicates again.
  package mutating func keepDuplicateIDs() {
    if knownDuplicates == nil { knownDuplicates = duplicateIDs() }
  }

  /// The number of duplicates that are reported one by one. Further duplicates are only counted.
  package static let listedDuplicates = 20

  /// A selector has at most this many steps, so a message stays readable whatever the depth of the
  /// page.
  private static let maximumSteps = 8
  /// At most this many siblings are counted for `nth-child`. Every message counts the siblings
  /// again, so their number has to be bounded.
  private static let maximumSiblings = 1_000

  /// The path to an element as a selector: `div#page > ul > li:nth-child(2)`, or its last steps:
  /// `… > li:nth-child(2)`.
  ///
  /// After ``maximumSiblings`` preceding siblings the position is written as `nth-child(n+1001)`:
  /// in CSS, this element or a later one.
  ///
  /// - Complexity: O(1), apart from the length of tags and ids.
  package func selector(of treeIndex: NodeTree.Index) -> String {
    var steps: [String] = []
    var step: NodeTree.Index? = treeIndex
    while let node = step, let element = tree[node].element {
      if steps.count == Self.maximumSteps {
        steps.append("…")
        break
      }
      step = tree.parent(of: node)
      if let id = element.id, node != treeIndex {
        steps.append("\(element.tag)#\(id)")
        break
      }
      steps.append("\(element.tag):nth-child(\(elementPosition(of: node)))")
    }
    return steps.reversed().joined(separator: " > ")
  }

  private func elementPosition(of node: NodeTree.Index) -> String {
    var position = 1
    var sibling = tree.previous(of: node)
    var looked = 0
    while let step = sibling {
      guard looked < Self.maximumSiblings else { return "n+\(position)" }
      if tree[step].element != nil { position += 1 }
      sibling = tree.previous(of: step)
      looked += 1
    }
    return "\(position)"
  }
}
