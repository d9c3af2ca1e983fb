internal import MirrorSupport

/// What one element matches, by selector of a list: bit *i* is set if compound *i* matches the
/// element, and the compounds before it match elements to which their combinators lead. The walks
/// of ``SelectableTree`` pass these bits from level to level.
typealias SelectorEnds = [UInt64]

/// The matches that the children of a node can continue with the combinators ` ` and `>`.
struct SelectorReach {
  /// The matches that end at the parent.
  var parent: SelectorEnds
  /// The matches that end at any ancestor.
  var ancestors: SelectorEnds
}

extension Selector {
  /// The reach for the elements at the top of a tree: nothing has matched above them.
  var outside: SelectorReach {
    let none = SelectorEnds(repeating: 0, count: complexes.count)
    return SelectorReach(parent: none, ancestors: none)
  }

  /// Whether a whole selector of the list has matched.
  func isMatch(_ ends: SelectorEnds) -> Bool {
    zip(ends, complexes).contains { ends, complex in ends & 1 << UInt64(complex.count - 1) != 0 }
  }
}

extension Selector.Test {
  var isPositional: Bool {
    switch self {
    case .pseudo: true
    case .not(let compounds): compounds.contains { $0.tests.contains(where: \.isPositional) }
    case .any, .tag, .attribute, .nthChild: false
    }
  }
}

/// The child elements of one node, which are matched from first to last.
struct SelectorLevel<Node: Hashable> {
  private let nodes: [Node]
  private let reach: SelectorReach
  private var position = 0
  /// The matches that end at the preceding sibling, and those that end at any earlier sibling.
  private var previous: SelectorEnds
  private var earlier: SelectorEnds
  /// How often each tag occurs among the elements that are still to be matched; empty unless the
  /// selector is positional.
  private var remaining: [String: Int] = [:]
  private var seen: Set<String> = []

  init(of nodes: [Node], below reach: SelectorReach, in tree: some SelectableTree) {
    self.nodes = nodes
    self.reach = reach
    (previous, earlier) = (reach.parent.map { _ in 0 }, reach.parent.map { _ in 0 })
  }

  /// Matches the next element.
  ///
  /// - Returns: the element, its matches, and the reach of its children; `nil` at the end.
  mutating func next<Tree: SelectableTree>(
    matching selector: Selector, in tree: Tree
  ) -> (node: Node, ends: SelectorEnds, reach: SelectorReach)? where Tree.Node == Node {
    guard position < nodes.count else { return nil }
    let node = nodes[position]
    guard let element = tree.element(node) else { return nil }
    let siblings = siblingPosition(of: element, at: node, selector.isPositional, in: tree)
    var ends = previous
    for (list, complex) in selector.complexes.enumerated() {
      ends[list] = 0
      for (index, compound) in complex.enumerated() {
        let isReached = index == 0 || before(compound.combinator, list) & 1 << UInt64(index - 1) != 0
        if isReached, compound.matches(element, siblings) { ends[list] |= 1 << UInt64(index) }
      }
    }
    for list in ends.indices { earlier[list] |= ends[list] }
    previous = ends
    position += 1
    var inner = SelectorReach(parent: ends, ancestors: reach.ancestors)
    for list in ends.indices { inner.ancestors[list] |= ends[list] }
    return (node, ends, inner)
  }

  private func before(_ combinator: Selector.Combinator, _ list: Int) -> UInt64 {
    switch combinator {
    case .descendant: reach.ancestors[list]
    case .child: reach.parent[list]
    case .next: previous[list]
    case .later: earlier[list]
    }
  }

  private mutating func siblingPosition<Tree: SelectableTree>(
    of element: Element, at node: Node, _ isPositional: Bool, in tree: Tree
  ) -> SiblingPosition where Tree.Node == Node {
    var siblings = SiblingPosition(index: position, isLast: position == nodes.count - 1)
    guard isPositional else { return siblings }
    if position == 0 {
      for node in nodes { if let tag = tree.element(node)?.tag { remaining[tag, default: 0] += 1 } }
    }
    remaining[element.tag, default: 1] -= 1
    siblings.isFirstOfType = seen.insert(element.tag).inserted
    siblings.isLastOfType = remaining[element.tag] == 0
    siblings.isEmpty = tree.isEmpty(node)
    return siblings
  }
}

/// The position of an element among its siblings, as pseudo-classes test it.
struct SiblingPosition {
  /// The index among the child elements.
  var index: Int
  var isLast: Bool
  var isFirstOfType = false
  var isLastOfType = false
  var isEmpty = false

  var isFirst: Bool { index == 0 }

  func isNth(step: Int, offset: Int) -> Bool {
    let (distance, overflow) = (index + 1).subtractingReportingOverflow(offset)
    if overflow { return false }
    return step == 0 ? distance == 0 : distance.isMultiple(of: step) && (distance == 0 || (distance > 0) == (step > 0))
  }
}

extension Selector.Compound {
  /// Whether an element passes all tests, without regard to the combinator.
  func matches(_ element: Element, _ siblings: SiblingPosition) -> Bool {
    tests.allSatisfy { $0.matches(element, siblings) }
  }
}

extension Selector.Test {
  fileprivate func matches(_ element: Element, _ siblings: SiblingPosition) -> Bool {
    switch self {
    case .any: true
    case .tag(let tag): element.tag == tag || element.tag.lowercased() == tag
    case .attribute(let name, let test): element[name].map(test.matches) ?? false
    case .pseudo(let pseudo): pseudo.matches(element, siblings)
    case .nthChild(let step, let offset): siblings.isNth(step: step, offset: offset)
    case .not(let compounds): !compounds.contains { $0.matches(element, siblings) }
    }
  }
}

extension Selector.AttributeTest {
  /// Compares byte for byte, as a browser does.
  ///
  /// - Complexity: O(*bytes of the value*).
  fileprivate func matches(_ value: String) -> Bool {
    switch self {
    case .present: true
    case .equal(let expected): value.hasSameBytes(as: expected)
    case .prefix(let part): !part.isEmpty && value.utf8.starts(with: part.utf8)
    case .suffix(let part): !part.isEmpty && value.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
    case .contains(let part): !part.isEmpty && value.hasBytes(of: part)
    case .word(let word): !word.isEmpty && value.hasWord(word)
    case .language(let language):
      value.utf8.starts(with: language.utf8)
        && value.utf8.dropFirst(language.utf8.count).first.map { $0 == UInt8(ascii: "-") } ?? true
    }
  }
}

extension String {
  /// Whether one of the words that white space separates has the bytes of `word`.
  fileprivate func hasWord(_ word: String) -> Bool {
    var (value, word) = (self, word)
    return value.withUTF8 { bytes in
      word.withUTF8 { word in
        var rest = bytes[...]
        while rest.count >= word.count {
          let end = rest.firstIndex(where: \.isASCIIWhitespace) ?? rest.endIndex
          if rest[..<end].elementsEqual(word) { return true }
          rest = rest[end...].dropFirst()
        }
        return false
      }
    }
  }
}

extension Selector.PseudoClass {
  /// The tags of the elements that can be disabled.
  private static let controls: Set = ["button", "fieldset", "input", "optgroup", "option", "select", "textarea"]

  fileprivate func matches(_ element: Element, _ siblings: SiblingPosition) -> Bool {
    switch self {
    case .firstChild: siblings.isFirst
    case .lastChild: siblings.isLast
    case .onlyChild: siblings.isFirst && siblings.isLast
    case .firstOfType: siblings.isFirstOfType
    case .lastOfType: siblings.isLastOfType
    case .empty: siblings.isEmpty
    case .checked:
      element.tag == "input" && element["checked"] != nil || element.tag == "option" && element["selected"] != nil
    case .disabled: Self.controls.contains(element.tag) && element["disabled"] != nil
    case .enabled: Self.controls.contains(element.tag) && element["disabled"] == nil
    }
  }
}
