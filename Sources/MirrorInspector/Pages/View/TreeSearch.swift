internal import MarkupDocument

/// A search for a text in a document, and the nodes that it found. ``ViewPage`` makes one for
/// `?find=`.
///
///     node:15         the node with this number, as in the filter of the timeline
///     tr.selected td  elements that match a CSS selector; a tag, #id and <li#t6> are selectors, too
///     Total           texts, comments, and elements with an attribute that contain the words, in any case;
///                     for a number also the node with it
struct TreeSearch {
  /// In document order; at most ``limit``.
  let matches: [NodeRef]
  /// The nodes that are listed for the matches: a text is listed as its element.
  let elements: [NodeRef]
  /// Whether there are more matches than ``limit``.
  let isCut: Bool
  /// The words to search for.
  let words: FoldedText
  /// The number of the node that is searched for, at least 1; `nil` if the text is neither
  /// `node:15` nor a number.
  let number: Int?

  static let limit = 200

  /// - Parameter showsBlanks: whether to search white space and the comments of HEEx, too.
  /// - Complexity: O(*characters of the document*), less with more than ``limit`` matches.
  init(for text: String, in document: Document, includingBlanks showsBlanks: Bool) {
    words = FoldedText(text)
    number = Int(text.hasPrefix("node:") ? text.dropFirst(5) : text[...]).flatMap { $0 > 0 ? $0 : nil }
    let numbered = number.flatMap { document.treeIndex(of: NodeRef(epoch: document.epoch, number: $0)) }
    var matches: [NodeRef] = []
    if text.hasPrefix("node:"), let numbered {
      matches = [document.ref(numbered)]
    } else {
      let selected = Set(
        Selector(ElementName(text)?.selector ?? text).map { document.allNodes(matching: $0) } ?? [])
      for place in document.tree.preorder() where matches.count <= Self.limit {
        let node = document.ref(place)
        let content = document.tree[place]
        guard place == numbered || selected.contains(node) || content.contains(words) else { continue }
        if showsBlanks || !content.isSeldomOfInterest { matches.append(node) }
      }
    }
    isCut = matches.count > Self.limit
    self.matches = Array(matches.prefix(Self.limit))
    // A search by number lists the node itself, also if it is a text.
    if numbered != nil, self.matches.count == 1 {
      elements = self.matches
      return
    }
    var seen: Set<NodeRef> = []
    elements = self.matches.map { document.content(of: $0)?.element == nil ? document.parent(of: $0) ?? $0 : $0 }
      .filter { seen.insert($0).inserted }
  }
}

extension NodeContent {
  /// Whether a text, or the value of an attribute, contains the words.
  fileprivate func contains(_ words: FoldedText) -> Bool {
    switch self {
    case .root: false
    case .text(let text), .comment(let text): words.isPart(of: text)
    case .processingInstruction(let instruction): words.isPart(of: instruction.data)
    case .element(let element): element.attributes.contains { words.isPart(of: $0.value) }
    }
  }
}
