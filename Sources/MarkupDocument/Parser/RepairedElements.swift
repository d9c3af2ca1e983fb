/// The offsets of an element's tags in the markup.
package struct ElementTags: Sendable {
  /// The offset after the start tag; -1 if the element has none in the markup.
  package var startEnd: Int32 = -1
  /// The offset of the tag that closed the element, which is its end tag or the start tag of an
  /// element without content; -1 if no tag closed it.
  package var close: Int32 = -1
}

extension [ElementTags] {
  /// The tags of an element. Elements that the parser has added have none.
  package subscript(node: NodeTree.Index) -> ElementTags {
    indices.contains(Int(node.raw)) ? self[Int(node.raw)] : ElementTags()
  }
}

/// Records the elements whose content a repair has changed, so that it cannot be replaced piece by
/// piece. ``TreeBuilder`` and ``NativeParser`` report repairs while they run.
///
/// If tags nest, the markup between an element's tags produces exactly the children of that
/// element. A repair breaks this rule, so the parser marks the deepest element that contains the
/// whole repair as irregular. The content of an element can be replaced by a ``MarkupParser/Piece``
/// if neither the element nor any ancestor is irregular: at every position in it, the parser's
/// state follows from the ancestors alone.
///
/// In a piece, the root and the ancestors are placeholders. A repair that affects one of them makes
/// the whole piece unusable; see ``isRootIrregular``.
struct RepairedElements {
  private(set) var irregular: Set<NodeTree.Index> = []
  /// Whether the root or, in a piece, one of the placeholders is irregular.
  private(set) var isRootIrregular = false
  /// How many nodes at the start of the storage are the root and placeholders of a piece; 0 for a
  /// whole page.
  let floor: Int
  /// Per storage index: the tags of the element. Nodes after the last element with a tag are left
  /// out.
  private(set) var tags: [ElementTags] = []
  private var last: NodeTree.Index?
  /// How many more open elements ``TreeBuilder`` may examine after irregular tags. Hostile nesting
  /// can make every tag irregular at a great depth. When the allowance is used up, the root is
  /// marked and the examinations end, which bounds the time.
  private var allowance: Int

  init(floor: Int = 0, markupLength: Int) {
    self.floor = floor
    allowance = markupLength * 8 + 4096
  }

  var isPiece: Bool { floor > 0 }

  /// Marks an element whose content had to be repaired.
  mutating func mark(_ node: NodeTree.Index) {
    if node == NodeTree.root || Int(node.raw) < floor { return markRoot() }
    guard node != last else { return }
    last = node
    irregular.insert(node)
  }

  /// Records the offset after the start tag of a new element.
  @inline(__always)
  mutating func open(_ node: NodeTree.Index, to offset: Int) {
    let tags = ElementTags(startEnd: Int32(clamping: offset))
    let missing = Int(node.raw) - self.tags.count
    if missing > 0 { self.tags.append(contentsOf: repeatElement(ElementTags(), count: missing)) }
    self.tags.append(tags)
  }

  /// Records the offset of the tag that closes an element.
  @inline(__always)
  mutating func close(_ node: NodeTree.Index, at offset: Int) {
    if tags.indices.contains(Int(node.raw)) { tags[Int(node.raw)].close = Int32(clamping: offset) }
  }

  /// Counts examined elements; beyond the allowance the whole page becomes irregular.
  mutating func countExamined(_ steps: Int) {
    allowance -= steps
    if allowance < 0 { markRoot() }
  }

  /// Marks the root as irregular.
  mutating func markRoot() {
    guard !isRootIrregular else { return }
    isRootIrregular = true
    irregular.insert(NodeTree.root)
  }
}
