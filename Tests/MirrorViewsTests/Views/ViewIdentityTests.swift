import MarkupDocument
import MirrorViews
import NodeObservation
import TestSupport
import Testing

/// Every element has a view with a counter. A naive model predicts which node has which count after
/// random changes.
@Suite struct ViewIdentityTests {
  typealias Hook = ViewCompositionTests.Hook

  struct Counting: PageView {
    @ObservedElement var element
    @State var count = 0
    let hook: Hook
    var body: some View {
      let _ = hook.action["\(element.node)"] = { count += 1 }
      Text("(\(count) ")
      ForEach(element.childElements) { ElementView($0) }
      Text(")")
    }
  }

  /// The count of each view, by node.
  struct Model {
    private var counts: [NodeRef: Int] = [:]
    private var children: [NodeRef: [NodeRef]] = [:]
    private var identities: [NodeRef: ElementID] = [:]

    subscript(node: NodeRef) -> Int {
      get { counts[node, default: 0] }
      set { counts[node] = newValue }
    }

    /// A kept node keeps its count. A new node takes the count of a removed node with the same
    /// identity under the same parent.
    mutating func follow(_ document: Document, of coordinator: DocumentCoordinator) {
      var (newCounts, newChildren, newIdentities) = ([NodeRef: Int](), [NodeRef: [NodeRef]](), [NodeRef: ElementID]())
      let elements = document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
      for node in [document.root] + elements {
        newChildren[node] = document.children(of: node).filter { document.content(of: $0)?.element != nil }
        newIdentities[node] = ElementNode(node, of: coordinator).id
      }
      for node in elements { newCounts[node] = counts[node] }
      for (parent, after) in newChildren {
        var left: [ElementID: NodeRef] = [:]
        for node in children[parent] ?? [] where !document.contains(node) {
          if let id = identities[node], left[id] == nil { left[id] = node }
        }
        for node in after where identities[node] == nil {
          if let id = newIdentities[node], let old = left.removeValue(forKey: id) { newCounts[node] = counts[old] }
        }
      }
      (counts, children, identities) = (newCounts, newChildren, newIdentities)
    }

    func markup(of document: Document, _ node: NodeRef? = nil) -> String {
      let children = document.children(of: node ?? document.root)
        .filter { document.content(of: $0)?.element != nil }.map { markup(of: document, $0) }.joined()
      return node.map { "(\(counts[$0, default: 0]) \(children))" } ?? children
    }
  }

  @Test(arguments: 0..<60) func `the state of a view follows the identity of its element`(seed: UInt64) {
    var random = SeededRandom(seed)
    let hook = Hook()
    let coordinator = DocumentCoordinator(markup: Self.page(&random), dialect: .native)
    let page = ViewTree(of: coordinator, registry: ViewRegistry { _ in Counting(hook: hook) })
    var model = Model()
    model.follow(coordinator.document, of: coordinator)
    _ = page.markup
    for step in 0..<20 {
      let elements = Self.elements(of: coordinator.document)
      for _ in 0..<6 {
        guard let node = elements.randomElement(using: &random) else { continue }
        hook("\(node)")
        model[node] += 1
      }
      coordinator.update(markup: Self.page(&random))
      model.follow(coordinator.document, of: coordinator)
      #expect(page.markup == model.markup(of: coordinator.document), "step \(step)")
      #expect(page.count == Self.elements(of: coordinator.document).count + 1, "step \(step)")
    }
    #expect(page.problems == [])
  }

  static func elements(of document: Document) -> [NodeRef] {
    document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
  }

  /// Elements with few ids and tags, so that they often move, are added again, and change their
  /// tags.
  static func page(_ random: inout SeededRandom, depth: Int = 0) -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let tag = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      let id = Int.random(in: 0..<3, using: &random) > 0 ? #" id="\#(Int.random(in: 0..<9, using: &random))""# : ""
      return "<\(tag)\(id)>\(depth < 3 ? page(&random, depth: depth + 1) : "")</\(tag)>"
    }.joined()
  }
}
