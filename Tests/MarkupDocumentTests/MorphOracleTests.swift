import DocumentInvariants
import MarkupDocument
import RecordingFixtures
import Testing

/// The oracle of the morph: for any two pages, the change set applied to the first document gives
/// the second page, by the module's own hand and by a naive one that is written from the
/// documentation of `ChangeSet` alone.
@Suite struct MorphOracleTests {
  /// The number of pairs of pages for each kind of ids.
  static let pairs = TestEffort.count(10_000, long: 40_000)

  @Test(
    arguments: RandomPages.Identity.allCases)
  func `the change set between two random pages turns one into the other`(identity: RandomPages.Identity) {
    var pages = RandomPages(seed: 7, identity: identity)
    var checked = 0
    while checked < Self.pairs {
      var document = Document(dialect: .html, epoch: 1)
      var dead: Set<NodeRef> = []
      var previous = ""
      for _ in 0..<20 {
        let markup = pages.next()
        defer { previous = markup }
        if let fault = step(&document, &dead, to: markup) {
          Issue.record("\(fault)\nfrom \(previous)\nto   \(markup)")
          return
        }
        checked += 1
      }
    }
  }

  /// The first violated condition after an update; `nil` if all hold.
  private func step(_ document: inout Document, _ dead: inout Set<NodeRef>, to markup: String) -> String? {
    let old = document
    let page = Page(parsing: Array(markup.utf8), dialect: .html)
    let morph = Morph.changes(from: old, to: page)
    let changes = morph.changes
    document.apply(changes, marks: morph.marks)

    // LiveView's client removes only one of several elements with an id that the page does not
    // have, and can leave elements where an element with an id gets another parent.
    if !old.hasDuplicateIDs, !morph.movesKeys, !document.tree.isEqual(to: page.tree) {
      return "built \(document.markup(of: document.root))"
    }
    let faults = document.checkInvariants()
    if !faults.isEmpty { return faults.joined(separator: ", ") }

    var naive = NaiveDocument(old)
    naive.apply(changes)
    if naive != NaiveDocument(document) { return "the naive application of \(changes) differs" }

    let (before, after) = (Set(old.nodes(from: old.root)), Set(document.nodes(from: document.root)))
    if let node = after.first(where: dead.contains) { return "node \(node) came back" }
    dead.formUnion(before.subtracting(after))
    for (id, node) in old.uniqueIDs {
      guard let other = document.uniqueIDs[id],
        old.content(of: node)?.element?.tag == document.content(of: other)?.element?.tag
      else { continue }
      if node != other { return "#\(id) was \(node) and is \(other)" }
    }
    return nil
  }
}

extension Document {
  /// The elements whose id is unique.
  var uniqueIDs: [String: NodeRef] {
    var ids: [String: [NodeRef]] = [:]
    for node in nodes(from: root) {
      if let id = content(of: node)?.element?.id { ids[id, default: []].append(node) }
    }
    return ids.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}

/// A document as dictionaries that applies change sets exactly as the documentation of `ChangeSet`
/// describes.
struct NaiveDocument: Equatable {
  var children: [NodeRef: [NodeRef]] = [:]
  var texts: [NodeRef: String] = [:]
  var tags: [NodeRef: String] = [:]
  var attributes: [NodeRef: [String: String]] = [:]

  init(_ document: Document) {
    for node in document.nodes(from: document.root) {
      if let content = document.content(of: node) { add(node, content) }
      children[node] = document.children(of: node)
    }
  }

  private mutating func add(_ node: NodeRef, _ content: NodeContent) {
    children[node] = []
    switch content {
    case .root: break
    case .text(let text): texts[node] = text
    case .comment(let text): texts[node] = "<!--\(text)"
    case .processingInstruction(let instruction): texts[node] = "<?\(instruction.target) \(instruction.data)"
    case .element(let element):
      tags[node] = element.tag
      attributes[node] = Dictionary(uniqueKeysWithValues: element.attributes.map { ($0.name, $0.value) })
    }
  }

  mutating func apply(_ changeSet: ChangeSet) {
    // Source indexes count the children before the change set; target indexes count them after it.
    let before = self
    for change in changeSet.changes {
      switch change {
      case .remove(let nodes, let from, _):
        precondition(before.children[from.parent]?[from.index] == nodes[0])
        children[from.parent]?.removeAll { $0 == nodes[0] }
      case .move(let node, _, let from, _):
        precondition(before.children[from.parent]?[from.index] == node)
        children[from.parent]?.removeAll { $0 == node }
      case .text(let node, let parent, let old, let new):
        precondition(before.children[parent]?.contains(node) == true)
        let isComment = before.texts[node]?.hasPrefix("<!--") == true
        precondition(before.texts[node] == (isComment ? "<!--" : "") + old)
        texts[node] = (isComment ? "<!--" : "") + new
      case .attributes(let node, let tag, let changes):
        precondition(before.tags[node] == tag)
        for change in changes {
          precondition(before.attributes[node]?[change.name] == change.before)
          attributes[node]?[change.name] = change.after
        }
      case .add: break
      }
    }
    for case .remove(let nodes, _, _) in changeSet.changes {
      for node in nodes {
        children[node] = nil
        texts[node] = nil
        tags[node] = nil
        attributes[node] = nil
      }
    }
    var arrivals: [NodeRef: [(index: Int, node: NodeRef)]] = [:]
    for change in changeSet.changes {
      switch change {
      case .add(let subtree, let position):
        for (place, node) in subtree.nodes.enumerated() {
          add(node.ref, node.content)
          if place > 0, let parent = node.parent { children[subtree.nodes[parent].ref]?.append(node.ref) }
        }
        arrivals[position.parent, default: []].append((position.index, subtree.root))
      case .move(let node, _, _, let to): arrivals[to.parent, default: []].append((to.index, node))
      case .text, .attributes, .remove: break
      }
    }
    for (parent, nodes) in arrivals {
      for (index, node) in nodes.sorted(by: { $0.index < $1.index }) { children[parent]?.insert(node, at: index) }
    }
  }
}
