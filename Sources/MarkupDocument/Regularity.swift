/// Which elements of a tree can be addressed piece by piece, as a parser finds out on its way.
///
/// A page whose tags nest needs no parser to be taken apart: what stands between an element's tags makes its children
/// and nothing else. Where the parser had to repair something, that is no longer so, and it marks the deepest element
/// that holds all of the repair. So an element can be addressed when neither it nor any above it is marked: at each
/// place of its content the parser's state was just what the elements above say.
///
/// In a piece of markup (see ``MarkupParser/Context``) the root and the ancestors are there for their names only. Once
/// one of them is concerned there is no use in going on.
struct Regularity {
  private(set) var irregular: Set<NodeTree.Index> = []
  /// The root is irregular or, in a piece, one of the elements around it.
  private(set) var isLost = false
  /// How many nodes, the first of the tree, stand around the piece; none for a whole page.
  let floor: Int
  /// By place in the tree's storage, where the tag is in the markup that closed the element: its end tag, or the start tag of an
  /// element without content. -1 where none did.
  private(set) var ends: [Int32] = []
  private var last: NodeTree.Index?
  /// How many open elements may yet be looked at. Hostile nesting makes every tag irregular and hundreds deep; then the
  /// page is given up rather than made slow.
  private var allowance: Int

  init(floor: Int = 0, markupLength: Int) {
    self.floor = floor
    allowance = markupLength * 8 + 4096
  }

  var isPiece: Bool { floor > 0 }

  mutating func mark(_ node: NodeTree.Index) {
    if node == NodeTree.root || Int(node.raw) < floor { return lose() }
    guard node != last else { return }
    last = node
    irregular.insert(node)
  }

  @inline(__always)
  mutating func close(_ node: NodeTree.Index, at offset: Int) {
    let place = Int(node.raw)
    if place >= ends.count { ends.append(contentsOf: repeatElement(-1, count: place + 1 - ends.count)) }
    ends[place] = Int32(clamping: offset)
  }

  /// Gives the page up once too much was looked at.
  mutating func take(_ steps: Int) {
    allowance -= steps
    if allowance < 0 { lose() }
  }

  mutating func lose() {
    guard !isLost else { return }
    isLost = true
    irregular.insert(NodeTree.root)
  }
}
