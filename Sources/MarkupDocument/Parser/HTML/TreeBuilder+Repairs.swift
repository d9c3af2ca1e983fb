/// Checks the effect of each token. A token that changed more than its own element or text is
/// irregular, and the element that contains all of its effects is marked. See ``RepairedElements``.
/// ``run()`` calls ``isRegular(_:at:height:in:)`` after each token, ``noteIrregularity(of:)`` after
/// an irregular one, and ``noteEnd()`` at the end.
extension TreeBuilder {
  /// Whether a token was regular.
  ///
  /// - A regular start tag appends one element to the current one, and either opens it or closes it
  ///   at once.
  /// - A regular end tag closes the current element, which has the tag's name.
  /// - Any other regular token does not change the open elements.
  ///
  /// ``OpenElements/unchangedCount`` shows whether a node was inserted elsewhere: ``append(_:)``,
  /// ``appropriatePlace(in:)`` and all changes of the stack update it.
  ///
  /// - Parameters:
  ///   - height: the number of elements that were open before the token.
  ///   - current: the innermost open element before the token.
  @inline(__always)
  func isRegular(_ kind: Kind, at offset: Int, height: Int, in current: OpenElements.Entry) -> Bool {
    if tokenizer.isIrregular { return false }
    switch kind {
    case .text, .comment, .processingInstruction, .endOfFile:
      return open.unchangedCount == height && open.count == height
    case .startTag:
      guard open.unchangedCount == height, let node = tree.lastChild(of: current.node), tree.offset(of: node) == offset
      else {
        return false
      }
      return open.count == height || (open.count == height + 1 && open.current.node == node)
    case .endTag:
      return open.unchangedCount == height - 1 && open.count == open.unchangedCount
        && open.unchangedCount >= repairs.floor
        && current.key == tokenizer.key
    }
  }

  /// Marks the innermost element that contains all effects of an irregular token.
  ///
  /// Usually this is the deepest open element that the token left unchanged. If an end tag closed
  /// its own element together with elements inside it, the element of the end tag is marked
  /// instead. The root is marked if the parser's state no longer follows from the open elements,
  /// because later parts of the page then depend on the token.
  mutating func noteIrregularity(of kind: Kind) {
    if kind == .endTag, open.count == open.unchangedCount, let closed = open.closed, closed.key == tokenizer.key {
      repairs.mark(closed.node)
      repairs.close(closed.node, at: tokenizer.offset)
    } else {
      repairs.mark(open.entries[open.unchangedCount - 1].node)
    }
    tokenizer.isIrregular = false
    repairs.countExamined(open.count)
    if !repairs.isRootIrregular, !followsFromOpenElements() { repairs.markRoot() }
  }

  /// Marks the irregularities at the end of the markup: a token that is cut off, elements that are
  /// still open, and limits that were reached.
  mutating func noteEnd() {
    if tokenizer.isCut || tokenizer.isIrregular { repairs.mark(open.current.node) }
    if open.count > max(repairs.floor, 1) || isTruncated { repairs.markRoot() }
    // The allowance for clones belongs to the whole page, and a shorter page has a smaller one. So
    // a piece must make no clones, and a page whose pieces are to be replaced must stay within the
    // least allowance. Then no replacement of a piece can exhaust the allowance.
    if repairs.isPiece ? formatting.clones.count > 0 : formatting.clones.exceeds(FormattingElements.leastAllowance) {
      repairs.markRoot()
    }
    if repairs.isPiece, tokenizer.endsWithinMarkup { repairs.markRoot() }
  }

  /// Whether the parser's state follows from the open elements alone. Regular tokens preserve this
  /// property.
  ///
  /// The active formatting elements and markers must be those of the open elements, in the same
  /// order. The form pointer must be the open form, and the insertion mode and template modes those
  /// that the open elements require. An open formatting element that is not in the list, because
  /// the list evicted it, is marked and otherwise accepted.
  ///
  /// - Complexity: O(*open elements*).
  private mutating func followsFromOpenElements() -> Bool {
    let list = formatting.entries
    var index = 0
    var openForm: Index?
    var templates = 0
    for entry in open.entries where entry.namespace == .html {
      if entry.tag.isFormatting {
        if index < list.count, list[index].node == entry.node { index += 1 } else { repairs.mark(entry.node) }
      } else if entry.tag.pushesMarker {
        guard index < list.count, list[index].isMarker else { return false }
        index += 1
        if entry.tag == .template { templates += 1 }
      } else if entry.tag == .form, templates == 0 {
        guard openForm == nil else { return false }
        openForm = entry.node
      }
    }
    return index == list.count && form == openForm && templateModes.count == templates && mode == appropriateMode
  }
}

extension Tokenizer {
  /// Whether the markup ends with `<` or `</`. If a piece is parsed on its own, this ending is
  /// text. In the page, the tag after the piece can change its meaning: `</` and `<b>` together are
  /// a bogus comment.
  var endsWithinMarkup: Bool {
    guard let last = bytes.last else { return false }
    return last == UInt8(ascii: "<")
      || bytes.count > 1 && last == UInt8(ascii: "/") && bytes[bytes.count - 2] == UInt8(ascii: "<")
  }
}
