internal import MarkupDocument
internal import MirrorSupport

/// The ranges of a page's markup from which some nodes of a document were parsed.
///
/// ``Causes`` makes one for the page after an update and, if nodes were removed, one for the page
/// before it. It compares these ranges with those that slots wrote.
struct PageIndex {
  private let markup: [UInt8]
  private var starts: [NodeRef: Int] = [:]

  /// Nodes that the page does not list have no range, such as previous items of streams and the
  /// content of ignored elements.
  ///
  /// - Parameters:
  ///   - nodes: those whose range is needed. Most updates change few nodes of a page.
  ///   - tree: the nodes of the page, with their offsets in `markup`.
  ///   - ref: the node of the document for a node of `tree`.
  /// - Complexity: O(*nodes of the page*).
  init(of nodes: Set<NodeRef>, markup: [UInt8], in tree: NodeTree, ref: (NodeTree.Index) -> NodeRef?) {
    self.markup = markup
    guard let smallest = nodes.min(), let largest = nodes.max() else { return }
    // The comparison with the bounds spares most nodes the look-up in the set.
    func isNeeded(_ ref: NodeRef) -> Bool { ref >= smallest && ref <= largest && nodes.contains(ref) }
    /// The parser adds elements that the markup implies, such as `tbody`. They have no place of
    /// their own, so they begin where their first content begins.
    var implied: [NodeRef] = []
    for node in tree.preorder() where node != NodeTree.root {
      let start = tree.offset(of: node)
      if let start, !implied.isEmpty {
        for ref in implied { starts[ref] = start }
        implied.removeAll(keepingCapacity: true)
      }
      guard let ref = ref(node), isNeeded(ref) else { continue }
      if let start { starts[ref] = start } else { implied.append(ref) }
    }
  }

  /// The range of the changed node's start tag, text or comment; `nil` if the page of this index
  /// does not have the node. The range includes the `>` of a tag or comment and the `<` after a
  /// text, because a slot that only touches the end of the range may be a cause.
  func range(of change: Change) -> ClosedRange<Int>? {
    if let start = starts[change.node] { return start...end(of: start) }
    // A text that has become empty, such as that of a `textarea`, is not in the page. Its place is
    // behind the start tag of its parent.
    guard case .text(_, let parent, _, _) = change, let tag = starts[parent] else { return nil }
    let start = min(end(of: tag) + 1, markup.count)
    return start...end(of: start)
  }

  /// The ranges of the attributes of a tag that have one of these names.
  func attributes(named names: Set<String>, in tag: ClosedRange<Int>) -> AttributeRanges {
    AttributeRanges(of: names, in: tag.lowerBound..<tag.upperBound, of: markup)
  }

  private func end(of start: Int) -> Int {
    guard start < markup.count, markup[start] == UInt8(ascii: "<") else {
      return markup[start...].firstIndex(of: UInt8(ascii: "<")) ?? markup.count
    }
    let isComment = markup[start...].starts(with: "<!--".utf8)
    var quote: UInt8?
    for position in start..<markup.count {
      let byte = markup[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte.isQuote, !isComment {
        quote = byte
      } else if byte == UInt8(ascii: ">"), !isComment || markup[..<position].suffix(2).elementsEqual("--".utf8) {
        return position
      }
    }
    return markup.count
  }
}

/// The ranges of some attributes of a start tag, each from its name to the end of its value.
struct AttributeRanges {
  /// The ranges in ascending order.
  private var ranges: [Range<Int>] = []

  /// - Parameter tag: the range without the `>`.
  init(of names: Set<String>, in tag: Range<Int>, of markup: [UInt8]) {
    var (quote, first) = (UInt8?.none, tag.lowerBound)
    for position in tag.lowerBound...tag.upperBound {
      let byte = position < tag.upperBound ? markup[position] : UInt8(ascii: " ")
      if let open = quote, position < tag.upperBound {
        if byte == open { quote = nil }
      } else if byte.isQuote {
        quote = byte
      } else if byte <= UInt8(ascii: " ") {
        let name = String(decoding: markup[first..<position].prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        if names.contains(name) { ranges.append(first..<position) }
        first = position + 1
      }
    }
  }

  /// Whether the bytes that a slot wrote overlap one of the attributes. A slot that wrote nothing
  /// must be inside of an attribute.
  ///
  /// - Complexity: O(log *n*).
  func contain(_ slot: Range<Int>) -> Bool {
    let next = ranges.partitioningIndex { $0.upperBound > slot.lowerBound }
    guard next < ranges.count else { return false }
    return slot.isEmpty ? ranges[next].lowerBound < slot.lowerBound : ranges[next].overlaps(slot)
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
