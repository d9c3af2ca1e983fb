/// The stack of open elements (13.2.4.2), with the root at its bottom. ``TreeBuilder`` keeps one
/// for each parse.
///
/// The height is limited: at ``limit`` entries, a new element replaces the topmost one. Hostile
/// nesting therefore costs at most `limit` steps for each tag. Chromium has no such limit. Above a
/// height of 512, both Chromium and this parser insert new elements as siblings (see
/// ``TreeBuilder/append(_:)``).
struct OpenElements {
  struct Traits: OptionSet {
    let rawValue: UInt8

    static let html = Traits(rawValue: 1)
    static let special = Traits(rawValue: 2)
    /// A search for an element "in scope" ends here.
    static let scopeLimit = Traits(rawValue: 4)
    static let mathMLTextIntegrationPoint = Traits(rawValue: 8)
    static let htmlIntegrationPoint = Traits(rawValue: 16)
    /// A `p` is in button scope: this element or one below it on the stack.
    static let paragraphInButtonScope = Traits(rawValue: 32)
  }

  struct Entry {
    var node: NodeTree.Index
    var tag: KnownTag
    var namespace: Namespace
    var traits: Traits
    /// The key of the name in its token, in lower case.
    var key: KnownTagTable.Key

    @inline(__always) func isHTML(_ tag: KnownTag) -> Bool { self.tag == tag && namespace == .html }
  }

  static let limit = 640

  private(set) var entries: [Entry] = []
  /// The number of elements, counted from the bottom, that the current token left unchanged. See
  /// ``TreeBuilder/isRegular(_:at:height:in:)``.
  private(set) var unchangedCount = 1
  /// The element that was at ``unchangedCount``, if the token only closed it. `nil` if the token
  /// also changed it in another way, or inserted a node before it.
  private(set) var closed: Entry?
  /// The number of open elements by HTML tag. A count of zero answers most scope queries without a
  /// search.
  private var counts = [Int32](repeating: 0, count: KnownTag.allCases.count)
  /// By node index, whether the node is an open formatting element. The list of active formatting
  /// elements mostly looks up elements that are closed; this array answers without a search of the
  /// stack.
  private var isOpenFormatting: [Bool] = []

  init() {
    entries.reserveCapacity(64)
    entries.append(
      Entry(
        node: NodeTree.root, tag: .html, namespace: .html, traits: [.html, .special, .scopeLimit],
        key: KnownTag.html.key))
    counts[Int(KnownTag.html.rawValue)] = 1
  }

  @inline(__always) var current: Entry { entries[entries.count &- 1] }
  var count: Int { entries.count }

  // MARK: - Editing

  /// Resets ``unchangedCount`` and ``closed``, which then record the changes of the next token.
  @inline(__always) mutating func beginToken() {
    unchangedCount = entries.count
    closed = nil
  }

  /// Records that the current token changed the element at a position other than by closing it, or
  /// inserted a node before that element instead of in the current one.
  @inline(__always) mutating func noteChange(_ index: Int) {
    guard index <= unchangedCount else { return }
    unchangedCount = max(index, 1)
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
      if tag.limitsScope { traits.insert(.scopeLimit) }
      counts[Int(tag.rawValue)] &+= 1
      if tag.isFormatting { mark(node, isOpen: true) }
    }
    if tag == .p, namespace == .html {
      traits.insert(.paragraphInButtonScope)
    } else if !traits.contains(.scopeLimit), !(tag == .button && namespace == .html) {
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
    let index = Int(node.raw)
    if index >= isOpenFormatting.count {
      isOpenFormatting.append(contentsOf: repeatElement(false, count: index + 1 - isOpenFormatting.count))
    }
    isOpenFormatting[index] = isOpen
  }

  /// Closes elements until `count` are open.
  mutating func pop(to count: Int) {
    while entries.count > max(count, 1) { pop() }
  }

  /// Closes elements up to and including the topmost HTML element with the tag.
  mutating func pop(through tag: KnownTag) {
    while entries.count > 1 {
      let found = current.isHTML(tag)
      pop()
      if found { return }
    }
  }

  mutating func remove(at index: Int) {
    guard index > 0 else { return }
    let entry = entries.remove(at: index)
    noteClosed(entry, at: index)
    forget(entry)
  }

  @inline(__always) private mutating func noteClosed(_ entry: Entry, at index: Int) {
    guard index < unchangedCount else { return }
    unchangedCount = index
    closed = entry
  }

  /// Replaces the formatting element at a position by its clone.
  mutating func replaceNode(at index: Int, by node: NodeTree.Index) {
    noteChange(index)
    mark(entries[index].node, isOpen: false)
    mark(node, isOpen: true)
    entries[index].node = node
  }

  /// Moves a formatting element directly above another element, and replaces the moved element by
  /// its clone: the last step of a round of the adoption agency algorithm.
  ///
  /// Formatting elements do not limit any scope, so the traits of the other entries stay valid.
  mutating func move(from index: Int, above other: Int, as node: NodeTree.Index) {
    noteChange(index)
    var entry = entries[index]
    mark(entry.node, isOpen: false)
    mark(node, isOpen: true)
    entry.node = node
    entry.traits.remove(.paragraphInButtonScope)
    entry.traits.formUnion(entries[other].traits.intersection(.paragraphInButtonScope))
    for moved in index..<other { entries[moved] = entries[moved + 1] }
    entries[other] = entry
  }

  // MARK: - Queries

  /// The position of a formatting element, or `nil` if it is not open.
  ///
  /// - Parameter hint: the position to try first.
  func position(of node: NodeTree.Index, hint: Int) -> Int? {
    guard Int(node.raw) < isOpenFormatting.count, isOpenFormatting[Int(node.raw)] else { return nil }
    if hint < entries.count, entries[hint].node == node { return hint }
    return entries.lastIndex { $0.node == node }
  }

  func contains(_ tag: KnownTag) -> Bool { counts[Int(tag.rawValue)] > 0 }

  var hasParagraphInButtonScope: Bool { current.traits.contains(.paragraphInButtonScope) }

  /// The position of the topmost element with a tag, if it is in scope.
  func indexInScope(_ tag: KnownTag) -> Int? {
    guard contains(tag) else { return nil }
    return indexInScope { $0 == tag }
  }

  func isInScope(_ tag: KnownTag) -> Bool { indexInScope(tag) != nil }

  func indexInScope(where matches: (KnownTag) -> Bool) -> Int? {
    for index in stride(from: entries.count - 1, through: 0, by: -1) {
      if entries[index].namespace == .html, matches(entries[index].tag) { return index }
      if entries[index].traits.contains(.scopeLimit) { return nil }
    }
    return nil
  }

  func isInListItemScope(_ tag: KnownTag) -> Bool {
    guard contains(tag) else { return false }
    for index in stride(from: entries.count - 1, through: 0, by: -1) {
      let entry = entries[index]
      if entry.isHTML(tag) { return true }
      if entry.traits.contains(.scopeLimit) || entry.isHTML(.ol) || entry.isHTML(.ul) { return false }
    }
    return false
  }

  func isInTableScope(_ tag: KnownTag) -> Bool { contains(tag) && isInTableScope { $0 == tag } }

  func isInTableScope(where matches: (KnownTag) -> Bool) -> Bool {
    for index in stride(from: entries.count - 1, through: 0, by: -1) where entries[index].namespace == .html {
      let tag = entries[index].tag
      if matches(tag) { return true }
      if tag == .html || tag == .table || tag == .template { return false }
    }
    return false
  }

  /// The position of the topmost HTML element with a name, if no special element is above it. The
  /// element itself may be special.
  func indexBeforeSpecial(_ tag: KnownTag, _ key: KnownTagTable.Key) -> Int? {
    guard contains(tag) else { return nil }
    for index in stride(from: entries.count - 1, through: 1, by: -1) {
      if entries[index].key == key, entries[index].namespace == .html { return index }
      if entries[index].traits.contains(.special) { return nil }
    }
    return nil
  }
}
