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
  /// Ids that more than one element has: the second element and every one after it is as one without an id. The content of a
  /// `template` is a tree of its own, so an id in it is no other's.
  ///
  /// - Complexity: O(1) where no id does, or where ``keepDuplicateIDs()`` was called for this version; else what
  ///   ``inDocumentOrder(_:)`` takes for the elements that share an id.
  package func duplicateIDs(limit: Int = listedDuplicates) -> [DocumentDiagnostic] {
    if !hasDuplicateIDs { return [] }
    if limit == Self.listedDuplicates, let knownDuplicates { return knownDuplicates }
    var first: [NodeTree.Index?: [IDKey: NodeTree.Index]] = [:]
    var diagnostics: [DocumentDiagnostic] = []
    var more = 0
    for node in inDocumentOrder(refs(ids.shared.values.joined())) {
      guard let place = place(of: node), let id = tree[place].element?.id else { continue }
      let template = template(around: place)
      guard let known = first[template]?[IDKey(id)] else {
        first[template, default: [:]][IDKey(id)] = place
        continue
      }
      guard diagnostics.count < limit else {
        more += 1
        continue
      }
      diagnostics.append(
        DocumentDiagnostic(
          code: "duplicate-id", node: node,
          message: "id \"\(id)\" stands at \(selector(of: known)) and again at \(selector(of: place)); "
            + "only the first keeps its identity by it"))
    }
    if more > 0 {
      diagnostics.append(DocumentDiagnostic(code: "duplicate-id", node: nil, message: "and \(more) more duplicate ids"))
    }
    return diagnostics
  }

  /// - Complexity: O(*depth*).
  private func template(around node: NodeTree.Index) -> NodeTree.Index? {
    if dialect == .native { return nil }
    var above = tree.parent(of: node)
    while let step = above, tree[step].element?.isHTML("template") != true { above = tree.parent(of: step) }
    return above
  }

  /// Remembers what ``duplicateIDs(limit:)`` says, until a change moves an element or touches an id: so a page with
  /// twice the same id costs no more with every text that changes.
  package mutating func keepDuplicateIDs() {
    if knownDuplicates == nil { knownDuplicates = duplicateIDs() }
  }

  package static let listedDuplicates = 20

  /// A selector has at most this many steps, and what a page of any depth makes stays a line for a reader.
  private static let maximumSteps = 8
  /// An element's place is counted over this many siblings. Every message counts again, so it must not be all of them.
  private static let maximumSiblings = 1_000

  /// The way to an element for a reader: `div#page > ul > li:nth-child(2)`, or the end of it: `… > li:nth-child(2)`.
  ///
  /// Behind a thousand siblings the place is `nth-child(n+1001)`, which in CSS is this one or a later one.
  ///
  /// - Complexity: O(1), but for the length of tags and ids.
  package func selector(of place: NodeTree.Index) -> String {
    var steps: [String] = []
    var step: NodeTree.Index? = place
    while let node = step, let element = tree[node].element {
      if steps.count == Self.maximumSteps {
        steps.append("…")
        break
      }
      step = tree.parent(of: node)
      if let id = element.id, node != place {
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
