/// Whether each element that the wire calls the root of a component or function component holds what its markup says and nothing
/// else.
///
/// A parser moves nodes elsewhere where markup is not well formed: in `<p><div>a</div></p>`, the `div` ends the `p`, and a `div`
/// whose end tag is missing holds what comes after it. Then the page depends on whether LiveView's client writes an element with
/// its content or without it (`data-phx-skip`).
enum RootContainment {
  /// - Parameters:
  ///   - ends: where elements end; see ``Regularity``.
  ///   - sources: what the wire says of the markup.
  /// - Complexity: O(*nodes* · log *roots*), and O(1) without roots.
  static func holds(in tree: NodeTree, ends: [Int32], _ sources: Page.Sources) -> Bool {
    let ranges = Nesting(sources)
    if ranges.isEmpty { return true }
    /// By place in the tree's storage, the innermost range whose root is around the node or is the node; -1 outside of all.
    var owners = [Int](repeating: -1, count: tree.records.count)
    var hasRoot = [Bool](repeating: false, count: ranges.count)
    for node in tree.preorder() {
      let outer = tree.parent(of: node).map { owners[Int($0.raw)] } ?? -1
      owners[Int(node.raw)] = outer
      guard let offset = tree.offset(of: node) else { continue }
      switch tree[node] {
      case .element:
        let inner = ranges.innermost(around: offset)
        if inner == outer { continue }
        // One element can be the root of several: of a component that is a function component and nothing else.
        var range = inner
        while range >= 0, range != outer {
          if hasRoot[range] { return false }
          hasRoot[range] = true
          range = ranges.parent(of: range)
        }
        guard inner >= 0, range == outer, ranges.contains(end(of: node, in: ends), inner) else { return false }
        owners[Int(node.raw)] = inner
      case .text(let text):
        // White space at the end of a function component is a part of the text after it.
        if let first = text.first, !first.isWhitespace, ranges.innermost(around: offset) != outer { return false }
      case .comment, .processingInstruction, .root: continue
      }
    }
    return true
  }

  private static func end(of node: NodeTree.Index, in ends: [Int32]) -> Int {
    let place = Int(node.raw)
    return ends.indices.contains(place) ? Int(ends[place]) : -1
  }

  /// The stretches of markup of components and of function components, as they nest.
  private struct Nesting {
    private var ranges: [Range<Int>] = []
    private var parents: [Int] = []
    private var starts: [Int] = []

    init(_ sources: Page.Sources) {
      let components = sources.spans.compactMap { span in span.tag.map { $0..<max($0, span.range.upperBound) } }
      var (component, root) = (0, 0)
      while component < components.count || root < sources.roots.count {
        // Of two that begin together, the component is the outer one.
        let isComponent =
          component < components.count
          && (root == sources.roots.count || components[component].lowerBound <= sources.roots[root].range.lowerBound)
        let range = isComponent ? components[component] : sources.roots[root].range
        if isComponent { component += 1 } else { root += 1 }
        var parent = ranges.count - 1
        while parent >= 0, ranges[parent].upperBound <= range.lowerBound { parent = parents[parent] }
        ranges.append(range)
        parents.append(parent)
      }
      starts = ranges.map(\.lowerBound)
    }

    var isEmpty: Bool { ranges.isEmpty }
    var count: Int { ranges.count }

    func parent(of range: Int) -> Int { parents[range] }

    func contains(_ offset: Int, _ range: Int) -> Bool { ranges[range].contains(offset) }

    /// The innermost range with an offset in it; -1 for none.
    func innermost(around offset: Int) -> Int {
      var range = starts.partitioningIndex { $0 > offset } - 1
      while range >= 0, !ranges[range].contains(offset) { range = parents[range] }
      return range
    }
  }
}
