/// Trees written as markup.
extension NodeTree {
  /// The markup of a node: an element with its tags, and for the root its children.
  ///
  /// `html` follows the HTML fragment serialisation algorithm (13.3), with one addition that makes
  /// parse(serialise(*d*)) = *d* hold more often: a `pre`, `listing` or `textarea` whose text begins with a line feed
  /// gets another in front of it, which the parser takes away. There are trees that HTML cannot write (a `p` in a `p`,
  /// text ending in `</script>` in a `script`); their markup reads as another tree, as it does in a browser.
  ///
  /// `native` writes every element with its end tag, and escapes all text.
  ///
  /// - Complexity: O(*nodes* + *characters*), whatever the depth.
  package func markup(of node: Index = NodeTree.root, dialect: Dialect) -> String {
    var output = MarkupOutput(dialect: dialect)
    var current = node
    while true {
      let opened = output.open(self[current], in: parent(of: current).flatMap { self[$0].element })
      if opened, let child = firstChild(of: current) {
        output.startContent(self[current], first: self[child])
        current = child
        continue
      }
      if opened { output.close(self[current]) }
      while current != node, next(of: current) == nil, let parent = parent(of: current) {
        current = parent
        output.close(self[current])
      }
      guard current != node, let sibling = next(of: current) else { return output.string }
      current = sibling
    }
  }
}

/// The bytes of a serialisation.
private struct MarkupOutput {
  let dialect: Dialect
  private var bytes: [UInt8] = []

  init(dialect: Dialect) {
    self.dialect = dialect
  }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes a node up to its content; false when it has none to come.
  mutating func open(_ content: NodeContent, in parent: Element?) -> Bool {
    switch content {
    case .root: return true
    case .text(let text):
      if dialect == .html, let parent, parent.namespace == .html, parent.knownTag.holdsRawText {
        bytes.append(contentsOf: text.utf8)
      } else {
        escape(text, inAttribute: false)
      }
      return false
    case .comment(let comment):
      bytes.append(contentsOf: "<!--".utf8)
      bytes.append(contentsOf: comment.utf8)
      bytes.append(contentsOf: "-->".utf8)
      return false
    case .element(let element):
      bytes.append(UInt8(ascii: "<"))
      bytes.append(contentsOf: element.tag.utf8)
      for attribute in element.attributes {
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: attribute.name.utf8)
        bytes.append(contentsOf: "=\"".utf8)
        escape(attribute.value, inAttribute: true)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: ">"))
      return dialect == .native || element.namespace != .html || !element.knownTag.isVoid
    }
  }

  mutating func startContent(_ content: NodeContent, first: NodeContent) {
    guard dialect == .html, case .element(let element) = content, element.namespace == .html,
      case .text(let text) = first, text.utf8.first == UInt8(ascii: "\n"), element.knownTag.dropsLeadingLineFeed
    else { return }
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func close(_ content: NodeContent) {
    guard case .element(let element) = content else { return }
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: element.tag.utf8)
    bytes.append(UInt8(ascii: ">"))
  }

  /// 13.3 "escaping a string". A carriage return, which only a reference can have made, is written as one again: the
  /// standard leaves it bare, and it would be read as a line feed.
  private mutating func escape(_ text: String, inAttribute: Bool) {
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      var place = 0
      while place < utf8.count {
        let byte = utf8[place]
        var escaped: StaticString?
        var length = 1
        switch byte {
        case UInt8(ascii: "&"): escaped = "&amp;"
        case UInt8(ascii: "<"): escaped = "&lt;"
        case UInt8(ascii: ">"): escaped = "&gt;"
        case UInt8(ascii: "\"") where inAttribute: escaped = "&quot;"
        case UInt8(ascii: "\r"): escaped = "&#13;"
        case 0xC2 where place + 1 < utf8.count && utf8[place + 1] == 0xA0:
          escaped = "&nbsp;"
          length = 2
        default: break
        }
        if let escaped {
          bytes.append(contentsOf: utf8[written..<place])
          bytes.append(contentsOf: UnsafeBufferPointer(start: escaped.utf8Start, count: escaped.utf8CodeUnitCount))
          written = place + length
        }
        place += length
      }
      bytes.append(contentsOf: utf8[written...])
    }
  }
}

extension Element {
  /// The tag as the rules know it; ``KnownTag/other`` for a name that they do not.
  fileprivate var knownTag: KnownTag { KnownTagTable.shared.tag(named: tag.utf8) }
}
