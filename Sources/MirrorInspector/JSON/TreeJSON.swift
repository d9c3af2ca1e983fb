package import LiveViewMirror
package import MarkupDocument
package import MirrorSupport
internal import NodeObservation

extension NodeRef {
  package var json: JSON { .integer(number) }
}

/// A document as the tree of the HTTP API, written directly as bytes. ``NodeRoutes`` and the JSON
/// of one node use it.
///
/// The document may be of an earlier version. The numbers of subscribers are always the current
/// ones.
package struct TreeJSON {
  /// The maximum depth, because JSON parsers of clients have a limit. `html` documents are never so
  /// deep.
  package static let deepest = 700

  private let document: Document
  private let subscribers: NodePublishers.Totals
  private let sources: [NodeRef: NodeSource]
  private let hasOrigins: Bool
  private let hasPortals: Bool

  package init(_ document: Document, observedBy view: ViewState) {
    self.document = document
    subscribers = view.observers.publishers.totals()
    sources = document.sources()
    hasOrigins = !document.marks.origins.isEmpty
    hasPortals = document.hasPortals
  }

  /// Writes a node and its descendants up to a depth: 0 is the node alone, `nil` is ``deepest``.
  ///
  /// - Complexity: O(*output*).
  package func write(_ node: NodeRef, depth: Int? = nil, to json: inout JSONWriter) {
    guard let place = document.treeIndex(of: node) else { return json.null() }
    write(place, levels: min(depth ?? Self.deepest, Self.deepest), to: &json)
  }

  private func write(_ place: NodeTree.Index, levels: Int, to json: inout JSONWriter) {
    json.object { json in
      writeMembers(of: place, to: &json)
      let count = document.tree.childCount(of: place)
      if count > 0, levels == 0 {
        json.array("children", EmptyCollection<Int>()) { _, _ in }
        json.member("more", count)
      } else {
        json.array("children", document.tree.children(of: place)) { json, child in
          write(child, levels: levels - 1, to: &json)
        }
      }
    }
  }

  /// Writes the members of a node without its children.
  func writeMembers(of node: NodeRef, to json: inout JSONWriter) {
    if let place = document.treeIndex(of: node) { writeMembers(of: place, to: &json) }
  }

  @inline(__always)
  private func writeMembers(of place: NodeTree.Index, to json: inout JSONWriter) {
    let node = document.ref(place)
    json.member("node", node.number)
    document.tree[place].writeMembers(to: &json)
    json.member("subscribers", subscribers[node])
    if hasOrigins, let component = document.component(of: node) { json.member("component", component) }
    if hasPortals {
      if let template = document.portal(showing: node) { json.member("portal", template.number) }
      if case .element(let element) = document.tree[place], element.tag == "template",
        let shown = document.shown(ofPortal: node)
      {
        json.member("shown", shown.number)
      }
    }
    if !sources.isEmpty, let source = sources[node] {
      json.object("source") { json in
        source.location.writeMembers(to: &json)
        if let function = source.function { json.member("function", function) }
      }
    }
  }
}

extension NodeContent {
  /// Writes `kind`, and what the node has besides its children.
  @inline(__always)
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .element(let element):
      json.member("kind", word: "element")
      json.member("tag", element.tag)
      json.object("attributes") { json in
        for attribute in element.attributes { json.member(named: attribute.name, attribute.value) }
      }
    case .text(let text):
      json.member("kind", word: "text")
      json.member("text", text)
    case .comment(let text):
      json.member("kind", word: "comment")
      json.member("text", text)
    case .processingInstruction(let instruction):
      json.member("kind", word: "processing-instruction")
      json.member("target", instruction.target)
      json.member("text", instruction.data)
    case .root: json.member("kind", word: "root")
    }
  }
}

extension SourceLocation {
  /// `file` and `line`.
  func writeMembers(to json: inout JSONWriter) {
    json.member("file", file)
    json.member("line", line)
  }
}
