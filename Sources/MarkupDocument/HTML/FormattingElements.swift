/// The list of active formatting elements (13.2.4.3), with its markers.
///
/// Two limits keep hostile markup from growing the tree without end, since each unclosed `<b id=…>` is cloned into each
/// paragraph to come: the list holds ``limit`` elements, the oldest leaving first, and all clones together are no more
/// than a quarter of the markup's bytes, which is about as many as the markup could have written out.
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
  /// How many more clones may be made.
  private(set) var cloneAllowance: Int
  private let wholeAllowance: Int

  init(markupLength: Int) {
    wholeAllowance = markupLength / 4 + Self.leastAllowance
    cloneAllowance = wholeAllowance
  }

  /// So many clones are made of any markup, however short.
  static let leastAllowance = 4096

  /// How many clones were asked for.
  var clones: Int { wholeAllowance - cloneAllowance }

  var isEmpty: Bool { entries.isEmpty }

  mutating func takeClone() -> Bool {
    cloneAllowance -= 1
    return cloneAllowance >= 0
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
