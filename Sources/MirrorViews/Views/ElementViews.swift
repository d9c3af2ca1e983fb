internal import MarkupDocument

/// The views of elements, by node.
///
/// A view becomes an *orphan* if its element is removed from the document, or if the body that showed the element no longer
/// does. During the same flush another body may begin to show the element. Therefore orphans are kept until all bodies are up to
/// date.
struct ElementViews {
  private var views: [NodeRef: ViewNode] = [:]
  private var orphans: [ViewNode] = []

  subscript(node: NodeRef) -> ViewNode? {
    get { views[node] }
    set { views[node] = newValue }
  }

  var count: Int { views.count }
  var all: some Collection<ViewNode> { views.values }

  mutating func removeAll() { views = [:] }

  var hasOrphans: Bool { !orphans.isEmpty }

  mutating func orphan(_ view: ViewNode) { orphans.append(view) }

  mutating func orphan(_ views: some Sequence<ViewNode>) { orphans += views }

  mutating func nextOrphan() -> ViewNode? { orphans.popLast() }
}
