internal import MirrorSupport

/// Checks whether the root element of every component and function component contains exactly the
/// nodes of its own markup. ``Page`` calls ``holds(in:tags:_:)`` at most once, after it has parsed
/// the markup.
///
/// The parser moves nodes if markup is not well-formed. In `<p><div>a</div></p>` the `div` closes
/// the `p`; a `div` without an end tag takes in the nodes after it. The resulting page then depends
/// on whether LiveView's client renders the root with its content or without it (`data-phx-skip`).
enum RootContainment {
  /// Whether every root contains exactly the nodes of its own markup.
  ///
  /// - Parameters:
  ///   - tags: the tags of the elements, by index in the page's storage.
  ///   - sources: the ranges of components and fragments in the markup.
  /// - Complexity: O(*nodes* · log *roots*), and O(1) without roots.
  static func holds(in tree: NodeTree, tags: [ElementTags], _ sources: Page.Sources) -> Bool {
    let ranges = Nesting(sources)
    if ranges.isEmpty { return true }
    /// Per storage index: the innermost range whose root is the node or an ancestor of it; -1
    /// outside of all ranges.
    var owners = [Int](repeating: -1, count: tree.storageCount)
    var hasRoot = [Bool](repeating: false, count: ranges.count)
    for node in tree.preorder() {
      let outer = tree.parent(of: node).map { owners[Int($0.raw)] } ?? -1
      owners[Int(node.raw)] = outer
      guard let offset = tree.offset(of: node) else { continue }
      switch tree[node] {
      case .element(let element):
        let inner = ranges.innermost(around: offset)
        if inner == outer { continue }
        // One element can be the root of several ranges: a component whose only content is a
        // function component.
        var range = inner
        while range >= 0, range != outer {
          if hasRoot[range] || element.id != nil && sources.hiddenIDs.contains(offset) { return false }
          hasRoot[range] = true
          range = ranges.parent(of: range)
        }
        guard inner >= 0, range == outer, ranges.contains(Int(tags[node].close), inner) else { return false }
        owners[Int(node.raw)] = inner
      case .text(let text):
        // A text that begins with white space is accepted anywhere: white space at the end of a
        // function component and the text after the component are one node.
        if let first = text.first, !first.isWhitespace, ranges.innermost(around: offset) != outer { return false }
      case .comment, .processingInstruction, .root: continue
      }
    }
    return true
  }

  /// The nested ranges of components and function components in the markup.
  private struct Nesting {
    private var ranges: [Range<Int>] = []
    private var parents: [Int] = []
    private var starts: [Int] = []

    init(_ sources: Page.Sources) {
      let components = sources.spans.compactMap { span in span.tag.map { $0..<max($0, span.range.upperBound) } }
      var (component, root) = (0, 0)
      while component < components.count || root < sources.roots.count {
        // If a component and a function component begin together, the component is the outer one.
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

    /// The index of the innermost range that contains an offset; -1 if none does.
    func innermost(around offset: Int) -> Int {
      var range = starts.partitioningIndex { $0 > offset } - 1
      while range >= 0, !ranges[range].contains(offset) { range = parents[range] }
      return range
    }
  }
}
