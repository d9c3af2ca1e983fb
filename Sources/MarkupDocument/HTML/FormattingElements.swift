/// The list of active formatting elements (13.2.4.3), with its markers.
///
/// Three limits keep hostile markup from growing the tree without end, since each unclosed `<b id=…>` is cloned into each
/// paragraph to come: the list holds ``limit`` elements, the oldest leaving first; all clones together are no more than a
/// quarter of the markup's bytes; and what they would take as markup is no more than the markup itself takes. That is about
/// as much as the markup could have written out. A constant is added to both, so that short markup has clones too.
struct FormattingElements {
  struct Entry {
    /// The element; the root stands for a marker.
    var node: NodeTree.Index
    var tag: KnownTag
    /// Where it was last seen among the open elements.
    var placeHint: Int
    /// Equal for equal attributes, in whatever order; made when there is something to compare them with.
    var attributesHash: Int?

    var isMarker: Bool { node == NodeTree.root }
  }

  static let limit = 256

  private(set) var entries: [Entry] = []
  private let allowance: Clones
  /// The clones that were asked for.
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

  /// So many clones are made of any markup, however short.
  static let leastAllowance = Clones(count: 4096, bytes: 1 << 20)

  var isEmpty: Bool { entries.isEmpty }

  /// Charges a clone of a node; false when the allowance is used up.
  ///
  /// - Complexity: O(*attributes*), which are charged.
  mutating func takeClone(of content: NodeContent) -> Bool {
    clones.count += 1
    clones.bytes += content.length
    return !clones.exceeds(allowance)
  }

  // MARK: - Editing

  mutating func pushMarker() {
    entries.append(Entry(node: NodeTree.root, tag: .other, placeHint: 0))
  }

  mutating func clearToMarker() {
    while let entry = entries.popLast(), !entry.isMarker {}
  }

  /// Adds an element; of four that are alike since the last marker the first leaves (the Noah's Ark clause).
  ///
  /// - Returns: the element that had to leave, which most likely is still open.
  mutating func push(_ node: NodeTree.Index, _ tag: KnownTag, place: Int, in tree: NodeTree) -> NodeTree.Index? {
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
    entries.append(Entry(node: node, tag: tag, placeHint: place, attributesHash: attributesHash))
    return left
  }

  mutating func remove(at place: Int) { entries.remove(at: place) }

  mutating func remove(_ node: NodeTree.Index) {
    if let place = place(of: node) { entries.remove(at: place) }
  }

  mutating func insert(_ entry: Entry, at place: Int) { entries.insert(entry, at: place) }

  mutating func set(_ node: NodeTree.Index, placeHint: Int, at place: Int) {
    entries[place].node = node
    entries[place].placeHint = placeHint
  }

  mutating func hint(_ placeHint: Int, at place: Int) { entries[place].placeHint = placeHint }

  // MARK: - Questions

  func place(of node: NodeTree.Index) -> Int? { entries.lastIndex { $0.node == node } }

  /// The last element of a tag after the last marker.
  func lastPlace(of tag: KnownTag) -> Int? {
    for place in stride(from: entries.count - 1, through: 0, by: -1) {
      if entries[place].isMarker { return nil }
      if entries[place].tag == tag { return place }
    }
    return nil
  }
}

extension NodeContent {
  /// The bytes of the start tag, or of the text.
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
  /// Whether two elements hold the same attributes; unlike ``sameAttributes(as:)`` quick for very many.
  fileprivate func isAlike(_ other: Element) -> Bool {
    guard attributes.count == other.attributes.count else { return false }
    if attributes == other.attributes { return true }
    if attributes.count <= 8 { return sameAttributes(as: other) }
    return Set(attributes) == Set(other.attributes)
  }
}
