/// Whether each token did no more than it says, and what it disturbed if it did: see ``Regularity``.
extension TreeBuilder {
  /// Whether a token was regular: a start tag put one element at the end of the current one, which is open now or closed
  /// at once; an end tag closed the current element, of its name; anything else left the open elements alone.
  ///
  /// That nothing was put elsewhere is known from ``OpenElements/low``, which ``append(_:)`` and all that changes the
  /// stack keep.
  ///
  /// - Parameters:
  ///   - height: how many elements were open before.
  ///   - current: the topmost of them.
  @inline(__always)
  func isRegular(_ kind: Kind, at offset: Int, height: Int, in current: OpenElements.Entry) -> Bool {
    if tokenizer.isIrregular { return false }
    switch kind {
    case .text, .comment, .processingInstruction, .endOfFile:
      return open.low == height && open.count == height
    case .startTag:
      guard open.low == height, let node = tree.lastChild(of: current.node), tree.offset(of: node) == offset else {
        return false
      }
      return open.count == height || (open.count == height + 1 && open.current.node == node)
    case .endTag:
      return open.low == height - 1 && open.count == open.low && open.low >= regularity.floor
        && current.key == tokenizer.key
    }
  }

  /// Marks what an irregular token disturbed: the deepest open element that it left alone or, for an end tag that closed
  /// what was open in its element, that element. It is the root when something was left behind that a later part of the
  /// page depends on.
  mutating func noteIrregularity(of kind: Kind) {
    if kind == .endTag, open.count == open.low, let closed = open.closed, closed.key == tokenizer.key {
      regularity.mark(closed.node)
      regularity.close(closed.node, at: tokenizer.offset)
    } else {
      regularity.mark(open.entries[open.low - 1].node)
    }
    tokenizer.isIrregular = false
    regularity.take(open.count)
    if !regularity.isLost, !isSettled() { regularity.lose() }
  }

  /// Marks what the end of the markup left undone.
  mutating func noteEnd() {
    if tokenizer.isCut || tokenizer.isIrregular { regularity.mark(open.current.node) }
    if open.count > max(regularity.floor, 1) || isTruncated { regularity.lose() }
    // Clones have one allowance for the whole page. As a piece may make none, and the page no more than any page may,
    // no exchange of pieces can use it up.
    if regularity.isPiece ? formatting.clones.count > 0 : formatting.clones.exceeds(FormattingElements.leastAllowance) {
      regularity.lose()
    }
    if regularity.isPiece, tokenizer.endsWithinMarkup { regularity.lose() }
  }

  /// Whether the open elements alone say what the state of the parser is: the active formatting elements and markers
  /// are those of the open elements, in their order; the form is the one that is open; the modes are the appropriate
  /// ones. Regular tokens keep it so.
  ///
  /// An open formatting element may have left the list (the Noah's Ark clause), and is marked.
  ///
  /// - Complexity: O(*open elements*).
  private mutating func isSettled() -> Bool {
    let list = formatting.entries
    var place = 0
    var openForm: Index?
    var templates = 0
    for entry in open.entries where entry.namespace == .html {
      if entry.tag.isFormatting {
        if place < list.count, list[place].node == entry.node { place += 1 } else { regularity.mark(entry.node) }
      } else if entry.tag.pushesMarker {
        guard place < list.count, list[place].isMarker else { return false }
        place += 1
        if entry.tag == .template { templates += 1 }
      } else if entry.tag == .form, templates == 0 {
        guard openForm == nil else { return false }
        openForm = entry.node
      }
    }
    return place == list.count && form == openForm && templateModes.count == templates && mode == appropriateMode
  }
}

extension Tokenizer {
  /// Whether the markup ends with what, before the `<` of the next tag, would be the beginning of something else.
  var endsWithinMarkup: Bool {
    guard let last = bytes.last else { return false }
    return last == UInt8(ascii: "<")
      || bytes.count > 1 && last == UInt8(ascii: "/") && bytes[bytes.count - 2] == UInt8(ascii: "<")
  }
}
