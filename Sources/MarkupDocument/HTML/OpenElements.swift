/// The stack of open elements (13.2.4.2), the root at its bottom.
///
/// Its height is limited: an element beyond ``limit`` takes the place of the topmost one, so that hostile nesting costs
/// no more than `limit` steps for a tag. Chromium has no such limit, but from a height of 512 on its elements stand as
/// siblings, and so do these (see ``TreeBuilder/append(_:)``).
struct OpenElements {
  struct Traits: OptionSet {
    let rawValue: UInt8

    static let html = Traits(rawValue: 1)
    static let special = Traits(rawValue: 2)
    /// Ends what is "in scope".
    static let scopeBorder = Traits(rawValue: 4)
    static let mathMLTextIntegrationPoint = Traits(rawValue: 8)
    static let htmlIntegrationPoint = Traits(rawValue: 16)
    /// A `p` is in button scope, here or below.
    static let paragraphInButtonScope = Traits(rawValue: 32)
  }

  struct Entry {
    var node: NodeTree.Index
    var tag: KnownTag
    var namespace: Namespace
    var traits: Traits
    /// The name as its token had it, in lower case.
    var key: KnownTagTable.Key

    @inline(__always) func isHTML(_ tag: KnownTag) -> Bool { self.tag == tag && namespace == .html }
  }

  static let limit = 640

  private(set) var entries: [Entry] = []
  /// How many elements, from the bottom, the current token has left as they were: see
  /// ``TreeBuilder/isRegular(_:at:height:in:)``.
  private(set) var low = 1
  /// The element at ``low``, if the token closed it and did nothing else to it or in front of it.
  private(set) var closed: Entry?
  /// How many elements of each HTML tag are open: most questions about scope end here.
  private var counts = [Int32](repeating: 0, count: KnownTag.allCases.count)
  /// By node, whether it is an open formatting element. The list of those asks so often for one that is closed.
  private var isOpenFormatting: [Bool] = []

  init() {
    entries.reserveCapacity(64)
    entries.append(
      Entry(
        node: NodeTree.root, tag: .html, namespace: .html, traits: [.html, .special, .scopeBorder],
        key: KnownTag.html.key))
    counts[Int(KnownTag.html.rawValue)] = 1
  }

  @inline(__always) var current: Entry { entries[entries.count &- 1] }
  var count: Int { entries.count }

  // MARK: - Editing

  /// From here on ``low`` is told of what happens.
  @inline(__always) mutating func beginToken() {
    low = entries.count
    closed = nil
  }

  /// Says that the element at a place is not what it was, or got what should have come into another.
  @inline(__always) mutating func disturb(_ place: Int) {
    guard place <= low else { return }
    low = max(place, 1)
    closed = nil
  }

  mutating func push(
    _ node: NodeTree.Index, _ tag: KnownTag, _ namespace: Namespace, _ key: KnownTagTable.Key, traits: Traits = []
  ) {
    if entries.count >= Self.limit { pop() }
    var traits = traits
    if namespace == .html {
      traits.insert(.html)
      if tag.isSpecial { traits.insert(.special) }
      if tag.bordersScope { traits.insert(.scopeBorder) }
      counts[Int(tag.rawValue)] &+= 1
      if tag.isFormatting { mark(node, isOpen: true) }
    }
    if tag == .p, namespace == .html {
      traits.insert(.paragraphInButtonScope)
    } else if !traits.contains(.scopeBorder), !(tag == .button && namespace == .html) {
      traits.formUnion(current.traits.intersection(.paragraphInButtonScope))
    }
    entries.append(Entry(node: node, tag: tag, namespace: namespace, traits: traits, key: key))
  }

  /// Closes the topmost element; the root stays.
  mutating func pop() {
    guard entries.count > 1 else { return }
    let entry = entries.removeLast()
    noteClosed(entry, at: entries.count)
    forget(entry)
  }

  private mutating func forget(_ entry: Entry) {
    guard entry.namespace == .html else { return }
    counts[Int(entry.tag.rawValue)] &-= 1
    if entry.tag.isFormatting { mark(entry.node, isOpen: false) }
  }

  private mutating func mark(_ node: NodeTree.Index, isOpen: Bool) {
    let place = Int(node.raw)
    if place >= isOpenFormatting.count {
      isOpenFormatting.append(contentsOf: repeatElement(false, count: place + 1 - isOpenFormatting.count))
    }
    isOpenFormatting[place] = isOpen
  }

  /// Closes all above a place.
  mutating func pop(to count: Int) {
    while entries.count > max(count, 1) { pop() }
  }

  /// Closes elements until one of the tag is closed.
  mutating func pop(through tag: KnownTag) {
    while entries.count > 1 {
      let found = current.isHTML(tag)
      pop()
      if found { return }
    }
  }

  mutating func remove(at place: Int) {
    guard place > 0 else { return }
    let entry = entries.remove(at: place)
    noteClosed(entry, at: place)
    forget(entry)
  }

  @inline(__always) private mutating func noteClosed(_ entry: Entry, at place: Int) {
    guard place < low else { return }
    low = place
    closed = entry
  }

  /// Replaces the formatting element at a place by its clone.
  mutating func replaceNode(at place: Int, by node: NodeTree.Index) {
    disturb(place)
    mark(entries[place].node, isOpen: false)
    mark(node, isOpen: true)
    entries[place].node = node
  }

  /// Moves a formatting element up, to just above another, as its clone: the end of a round of the adoption agency.
  ///
  /// Formatting elements border nothing, so that no other entry's traits change.
  mutating func move(from place: Int, above other: Int, as node: NodeTree.Index) {
    disturb(place)
    var entry = entries[place]
    mark(entry.node, isOpen: false)
    mark(node, isOpen: true)
    entry.node = node
    entry.traits.remove(.paragraphInButtonScope)
    entry.traits.formUnion(entries[other].traits.intersection(.paragraphInButtonScope))
    for index in place..<other { entries[index] = entries[index + 1] }
    entries[other] = entry
  }

  // MARK: - Questions

  /// Where a formatting element stands; `hint` is tried first.
  func place(of node: NodeTree.Index, hint: Int) -> Int? {
    guard Int(node.raw) < isOpenFormatting.count, isOpenFormatting[Int(node.raw)] else { return nil }
    if hint < entries.count, entries[hint].node == node { return hint }
    return entries.lastIndex { $0.node == node }
  }

  func contains(_ tag: KnownTag) -> Bool { counts[Int(tag.rawValue)] > 0 }

  var hasParagraphInButtonScope: Bool { current.traits.contains(.paragraphInButtonScope) }

  /// The place of the topmost element of a tag that is in scope.
  func placeInScope(_ tag: KnownTag) -> Int? {
    guard contains(tag) else { return nil }
    return placeInScope { $0 == tag }
  }

  func isInScope(_ tag: KnownTag) -> Bool { placeInScope(tag) != nil }

  func placeInScope(where matches: (KnownTag) -> Bool) -> Int? {
    for place in stride(from: entries.count - 1, through: 0, by: -1) {
      if entries[place].namespace == .html, matches(entries[place].tag) { return place }
      if entries[place].traits.contains(.scopeBorder) { return nil }
    }
    return nil
  }

  func isInListItemScope(_ tag: KnownTag) -> Bool {
    guard contains(tag) else { return false }
    for place in stride(from: entries.count - 1, through: 0, by: -1) {
      let entry = entries[place]
      if entry.isHTML(tag) { return true }
      if entry.traits.contains(.scopeBorder) || entry.isHTML(.ol) || entry.isHTML(.ul) { return false }
    }
    return false
  }

  func isInTableScope(_ tag: KnownTag) -> Bool { contains(tag) && isInTableScope { $0 == tag } }

  func isInTableScope(where matches: (KnownTag) -> Bool) -> Bool {
    for place in stride(from: entries.count - 1, through: 0, by: -1) where entries[place].namespace == .html {
      let tag = entries[place].tag
      if matches(tag) { return true }
      if tag == .html || tag == .table || tag == .template { return false }
    }
    return false
  }

  /// The place of the topmost element of a name that has no special element above it; it may be special itself.
  func placeBeforeSpecial(_ tag: KnownTag, _ key: KnownTagTable.Key) -> Int? {
    guard contains(tag) else { return nil }
    for place in stride(from: entries.count - 1, through: 1, by: -1) {
      if entries[place].key == key, entries[place].namespace == .html { return place }
      if entries[place].traits.contains(.special) { return nil }
    }
    return nil
  }
}
