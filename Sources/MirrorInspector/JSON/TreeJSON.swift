package import LiveViewMirror
package import MarkupDocument
internal import NodeObservation

extension NodeRef {
  package var json: JSON { .integer(number) }
}

/// A document as the tree of the HTTP contract.
package struct TreeJSON {
  /// Deeper than this the tree is cut, whatever was asked for: a reader's JSON parser has a limit too. `html` documents
  /// are never so deep.
  package static let deepest = 700

  private let document: Document
  private let counts: [NodeRef: NodePublishers.Count]
  private let sources: [NodeRef: SourceLocation]

  package init(_ document: Document, observedBy view: ViewState) {
    self.document = document
    counts = view.observers.publishers.counts()
    sources = document.sources()
  }

  /// A node with all below it, cut at a depth: 0 is the node alone.
  package func node(_ node: NodeRef, depth: Int? = nil) -> JSON {
    self.node(node, levels: min(depth ?? Self.deepest, Self.deepest))
  }

  private func node(_ node: NodeRef, levels: Int) -> JSON {
    let children = document.children(of: node)
    var members = self.members(of: node)
    if children.isEmpty || levels > 0 {
      members.append(("children", .array(children.map { self.node($0, levels: levels - 1) })))
    } else {
      members += [("children", []), ("more", .integer(children.count))]
    }
    return .object(members)
  }

  /// A node without its children.
  func members(of node: NodeRef) -> [(String, JSON)] {
    var members: [(String, JSON)] = [("node", node.json)]
    switch document.content(of: node) {
    case .element(let element):
      members += [
        ("kind", "element"), ("tag", .string(element.tag)),
        ("attributes", .object(element.attributes.map { ($0.name, .string($0.value)) })),
      ]
    case .text(let text): members += [("kind", "text"), ("text", .string(text))]
    case .comment(let text): members += [("kind", "comment"), ("text", .string(text))]
    case .processingInstruction(let instruction):
      members += [
        ("kind", "processing-instruction"), ("target", .string(instruction.target)),
        ("text", .string(instruction.data)),
      ]
    case .root, nil: members.append(("kind", "root"))
    }
    members.append(("subscribers", .integer(counts[node]?.total ?? 0)))
    if let component = document.component(of: node) { members.append(("component", .integer(component))) }
    if let source = sources[node] {
      members.append(("source", ["file": .string(source.file), "line": .integer(source.line)]))
    }
    return members
  }
}
