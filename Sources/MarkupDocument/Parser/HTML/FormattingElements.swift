/// The list of active formatting elements (13.2.4.3), with its markers. ``TreeBuilder`` keeps one
/// for each parse.
///
/// The parser clones each unclosed formatting element, such as `<b id=…>`, into every paragraph
/// that follows. Three limits bound the tree that hostile markup can build:
/// - At most ``limit`` elements follow the last marker. The oldest of them is evicted.
/// - The number of clones is at most a quarter of the markup's bytes.
/// - The start tags of all clones, written as markup, are at most as long as the markup.
///
/// So the clones make the tree about as large as other markup of the same length could make it
/// without clones. ``leastAllowance`` is added to the last two limits, so that short markup can
/// have clones too.
struct FormattingElements {
  struct Entry {
    /// The element. The root represents a marker.
    var node: NodeTree.Index
    var tag: KnownTag
    /// The element's last known position in the stack of open elements.
    var openIndexHint: Int
    /// A hash of the attributes that does not depend on their order. It is computed at the first
    /// comparison.
    var attributesHash: Int?

    var isMarker: Bool { node == NodeTree.root }
  }

  static let limit = 256

  private(set) var entries: [Entry] = []
  private let allowance: Clones
  /// All requested clones, including those that were refused.
  private(set) var clones = Clones(count: 0, bytes: 0)

  /// A number of clones, and the bytes that their tags would take as markup.
  struct Clones {
    var count: Int
    var bytes: Int

    func exceeds(_ other: Clones) -> Bool { count > other.count || bytes > other.bytes }
  }

  init(markupLength: Int) {
    allowance = Clones(
      count: markupLength / 4 + Self.leastAllowance.count, bytes: markupLength + Self.leastAllowance.bytes)
  }

  /// The clones that are allowed for any markup, however short.
  static let leastAllowance = Clones(count: 4096, bytes: 1 << 20)

  var isEmpty: Bool { entries.isEmpty }

  /// Counts a clone of a node towards the allowance.
  ///
  /// - Returns: `false` if the allowance is exceeded.
  /// - Complexity: O(*attributes*). The allowance bounds the total cost, since it counts the bytes
  ///   of the attributes.
  mutating func takeClone(of content: NodeContent) -> Bool {
    clones.count += 1
    clones.bytes += content.length
    return !clones.exceeds(allowance)
  }

  // MARK: - Editing

  mutating func pushMarker() {
    entries.append(Entry(node: NodeTree.root, tag: .other, openIndexHint: 0))
  }

  mutating func clearToMarker() {
    while let entry = entries.popLast(), !entry.isMarker {}
  }

  /// Adds an element. If three equal elements follow the last marker, the earliest of them is
  /// evicted (the Noah's Ark clause); otherwise the oldest element after the marker is evicted if
  /// there are ``limit`` of them.
  ///
  /// - Returns: the evicted element, which is usually still open.
  mutating func push(_ node: NodeTree.Index, _ tag: KnownTag, openIndex: Int, in tree: NodeTree) -> NodeTree.Index? {
    var left: NodeTree.Index?
    var alike = 0
    var eldest = 0
    var size = 0
    var attributesHash: Int?
    for index in stride(from: entries.count - 1, through: 0, by: -1) {
      let entry = entries[index]
      if entry.isMarker { break }
      size += 1
      eldest = index
      guard entry.tag == tag else { continue }
      let hash = attributesHash ?? tree[node].attributesHash
      attributesHash = hash
      let otherHash = entry.attributesHash ?? tree[entry.node].attributesHash
      if entry.attributesHash == nil { entries[index].attributesHash = otherHash }
      guard hash == otherHash, let element = tree[node].element, let other = tree[entry.node].element,
        element.isAlike(other)
      else { continue }
      alike += 1
      if alike == 3 {
        left = entries.remove(at: index).node
        size = 0
        break
      }
    }
    if size >= Self.limit { left = entries.remove(at: eldest).node }
    entries.append(Entry(node: node, tag: tag, openIndexHint: openIndex, attributesHash: attributesHash))
    return left
  }

  mutating func remove(at index: Int) { entries.remove(at: index) }

  mutating func remove(_ node: NodeTree.Index) {
    if let index = position(of: node) { entries.remove(at: index) }
  }

  mutating func insert(_ entry: Entry, at index: Int) { entries.insert(entry, at: index) }

  mutating func set(_ node: NodeTree.Index, openIndexHint: Int, at index: Int) {
    entries[index].node = node
    entries[index].openIndexHint = openIndexHint
  }

  mutating func hint(_ openIndexHint: Int, at index: Int) { entries[index].openIndexHint = openIndexHint }

  // MARK: - Queries

  func position(of node: NodeTree.Index) -> Int? { entries.lastIndex { $0.node == node } }

  /// The position of the last element with a tag, after the last marker.
  func lastIndex(of tag: KnownTag) -> Int? {
    for index in stride(from: entries.count - 1, through: 0, by: -1) {
      if entries[index].isMarker { return nil }
      if entries[index].tag == tag { return index }
    }
    return nil
  }
}

extension NodeContent {
  /// The length of the start tag or of the text as markup, in UTF-8 bytes before escaping.
  fileprivate var length: Int {
    switch self {
    case .element(let element):
      element.attributes.reduce(element.tag.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    case .text(let text), .comment(let text): text.utf8.count
    case .processingInstruction(let instruction): instruction.data.utf8.count
    case .root: 0
    }
  }

  fileprivate var attributesHash: Int { element?.attributes.reduce(0) { $0 &+ $1.hashValue } ?? 0 }
}

extension Element {
  /// Whether two elements have the same attributes in any order. Cheaper than
  /// ``sameAttributes(as:)`` for elements with very many attributes, because it does not list the
  /// differences.
  fileprivate func isAlike(_ other: Element) -> Bool {
    guard attributes.count == other.attributes.count else { return false }
    if attributes == other.attributes { return true }
    if attributes.count <= 8 { return sameAttributes(as: other) }
    return Set(attributes) == Set(other.attributes)
  }
}
