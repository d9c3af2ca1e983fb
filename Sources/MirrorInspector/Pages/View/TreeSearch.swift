internal import MarkupDocument

/// The nodes of a document that a text finds.
///
///     15              the node with this number; also node:15, as in the filter of the timeline
///     tr.selected td  elements that match a CSS selector; a tag and #id are selectors, too
///     Total           texts, comments, and elements with an attribute that contain the words, in any case
struct TreeSearch {
  /// In document order; at most ``limit``.
  let matches: [NodeRef]
  /// Whether there are more matches than ``limit``.
  let isCut: Bool

  static let limit = 200

  /// - Parameter showsBlanks: whether to search white space and the comments of HEEx, too.
  /// - Complexity: O(*characters of the document*).
  init(for text: String, in document: Document, includingBlanks showsBlanks: Bool) {
    if let number = Int(text.hasPrefix("node:") ? text.dropFirst(5) : text[...]) {
      let node = NodeRef(epoch: document.epoch, number: number)
      if document.contains(node) {
        (matches, isCut) = ([node], false)
        return
      }
    }
    var found = Set<NodeRef>()
    if let selector = Selector(text) { found.formUnion(document.allNodes(matching: selector)) }
    let words = text.lowercased()
    for node in document.nodes(from: document.root) {
      guard let content = document.content(of: node), content.contains(words) else { continue }
      if showsBlanks || !content.isSeldomOfInterest { found.insert(node) }
    }
    let all = document.inDocumentOrder(found)
    (matches, isCut) = (Array(all.prefix(Self.limit)), all.count > Self.limit)
  }
}

extension NodeContent {
  /// Whether a text, or the value of an attribute, contains words that are given in lower case.
  fileprivate func contains(_ words: String) -> Bool {
    switch self {
    case .root: false
    case .text(let text), .comment(let text): text.lowercased().contains(words)
    case .processingInstruction(let instruction): instruction.data.lowercased().contains(words)
    case .element(let element): element.attributes.contains { $0.value.lowercased().contains(words) }
    }
  }
}
