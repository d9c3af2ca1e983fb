import RecordingFixtures

/// Similar pages: each is the previous one with nodes added, removed, moved, renamed and rewritten.
struct RandomPages {
  enum Identity: CaseIterable {
    case unique, duplicate, none
  }

  struct Node {
    var tag: String
    var id: Int?
    var attribute: Int?
    var text: String?
    var children: [Node]
  }

  private var random: SplitMix
  private let identity: Identity
  private var roots: [Node] = []
  private var nextID = 0

  init(seed: UInt64, identity: Identity) {
    random = SplitMix(state: seed)
    self.identity = identity
  }

  mutating func next() -> String {
    if roots.isEmpty || random.one(in: 12) {
      roots = (0..<random.below(4)).map { _ in make(depth: 0) }
    } else {
      for _ in 0...random.below(3) { mutate() }
    }
    if identity == .unique {
      var seen: Set<Int> = []
      for index in roots.indices { Self.dropRepeated(&roots[index], &seen) }
    }
    return roots.map(write).joined()
  }

  // `section` and `span` are allowed anywhere, so the parser does not repair the markup.
  private mutating func make(depth: Int) -> Node {
    if depth > 0, random.one(in: 3) { return Node(tag: "", id: nil, attribute: nil, text: word(), children: []) }
    let children = depth < 4 ? (0..<random.below(4)).map { _ in make(depth: depth + 1) } : []
    return Node(
      tag: random.one(in: 3) ? "span" : "section", id: id(), attribute: random.one(in: 3) ? random.below(3) : nil,
      text: nil, children: children)
  }

  private mutating func id() -> Int? {
    switch identity {
    case .none: return nil
    case .duplicate: return random.one(in: 2) ? random.below(6) : nil
    case .unique:
      guard !random.one(in: 4) else { return nil }
      // Often an id that was used before, perhaps elsewhere.
      return random.one(in: 2) ? random.below(max(nextID, 1)) : newID()
    }
  }

  private mutating func newID() -> Int {
    nextID += 1
    return nextID
  }

  private mutating func word() -> String { String("abc".randomElement(using: &random) ?? "a") }

  private mutating func mutate() {
    let count = roots.reduce(0) { $0 + Self.count($1) }
    guard count > 0 else { return roots.append(make(depth: 0)) }
    switch random.below(6) {
    case 0: insert(make(depth: 2))
    case 1: _ = take(random.below(count))
    case 2:
      if let node = take(random.below(count)) { insert(node) }
    case 3:
      if var node = take(random.below(count)) {
        node.children.shuffle(using: &random)
        insert(node)
      }
    case 4: roots.shuffle(using: &random)
    default:
      if var node = take(random.below(count)) {
        if node.text != nil {
          node.text = word()
        } else if random.one(in: 3) {
          node.tag = node.tag == "span" ? "section" : "span"
        } else {
          node.attribute = random.below(3)
        }
        insert(node)
      }
    }
  }

  private static func count(_ node: Node) -> Int { node.children.reduce(1) { $0 + count($1) } }

  private mutating func take(_ index: Int) -> Node? {
    var index = index
    return Self.take(&index, from: &roots)
  }

  private static func take(_ index: inout Int, from nodes: inout [Node]) -> Node? {
    for position in nodes.indices {
      if index == 0 { return nodes.remove(at: position) }
      index -= 1
      if let node = take(&index, from: &nodes[position].children) { return node }
    }
    return nil
  }

  private mutating func insert(_ node: Node) {
    let count = roots.reduce(0) { $0 + Self.count($1) }
    var index = random.below(count + 1)
    if index == 0 || !Self.insert(node, at: &index, in: &roots, &random) {
      roots.insert(node, at: random.below(roots.count + 1))
    }
  }

  private static func insert(_ node: Node, at index: inout Int, in nodes: inout [Node], _ random: inout SplitMix)
    -> Bool
  {
    for position in nodes.indices {
      index -= 1
      if index == 0 {
        if nodes[position].text != nil { return false }
        nodes[position].children.insert(node, at: random.below(nodes[position].children.count + 1))
        return true
      }
      if insert(node, at: &index, in: &nodes[position].children, &random) { return true }
    }
    return false
  }

  private static func dropRepeated(_ node: inout Node, _ seen: inout Set<Int>) {
    if let id = node.id, !seen.insert(id).inserted { node.id = nil }
    for index in node.children.indices { dropRepeated(&node.children[index], &seen) }
  }

  private func write(_ node: Node) -> String {
    if let text = node.text { return text }
    let id = node.id.map { " id=\"n\($0)\"" } ?? ""
    let attribute = node.attribute.map { " class=\"c\($0)\"" } ?? ""
    return "<\(node.tag)\(id)\(attribute)>\(node.children.map(write).joined())</\(node.tag)>"
  }
}
