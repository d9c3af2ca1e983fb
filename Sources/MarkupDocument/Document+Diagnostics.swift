/// Something in a document that a reader should know of.
public struct DocumentDiagnostic: Sendable, Hashable {
  /// A stable word for the kind, such as `duplicate-id`.
  public var code: String
  /// The node that it is about, where there is one.
  public var node: NodeRef?
  public var message: String

  public init(code: String, node: NodeRef?, message: String) {
    self.code = code
    self.node = node
    self.message = message
  }
}

extension Document {
  /// Ids that stand more than once: the second element and every one after it is as one without an id.
  ///
  /// - Complexity: O(*nodes*).
  package func duplicateIDs(limit: Int = 20) -> [DocumentDiagnostic] {
    var first: [String: NodeTree.Index] = [:]
    var diagnostics: [DocumentDiagnostic] = []
    var more = 0
    for place in tree.preorder() {
      guard let id = tree[place].element?.id else { continue }
      guard let known = first[id] else {
        first[id] = place
        continue
      }
      guard diagnostics.count < limit else {
        more += 1
        continue
      }
      diagnostics.append(
        DocumentDiagnostic(
          code: "duplicate-id", node: ref(place),
          message: "id \"\(id)\" stands at \(selector(of: known)) and again at \(selector(of: place)); "
            + "only the first keeps its identity by it"))
    }
    if more > 0 {
      diagnostics.append(DocumentDiagnostic(code: "duplicate-id", node: nil, message: "and \(more) more duplicate ids"))
    }
    return diagnostics
  }

  /// The way to an element for a reader: `div#page > ul > li:nth-child(2)`.
  package func selector(of place: NodeTree.Index) -> String {
    var steps: [String] = []
    var step: NodeTree.Index? = place
    while let node = step, let element = tree[node].element {
      step = tree.parent(of: node)
      if let id = element.id, node != place {
        steps.append("\(element.tag)#\(id)")
        break
      }
      steps.append("\(element.tag):nth-child(\(elementPosition(of: node)))")
    }
    return steps.reversed().joined(separator: " > ")
  }

  private func elementPosition(of node: NodeTree.Index) -> Int {
    var position = 1
    var sibling = tree.previous(of: node)
    while let step = sibling {
      if tree[step].element != nil { position += 1 }
      sibling = tree.previous(of: step)
    }
    return position
  }
}
