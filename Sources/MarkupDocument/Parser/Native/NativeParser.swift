/// Builds the tree of LiveView Native's markup. No elements are implied. ``MarkupParser`` makes one
/// for each page in `native`, and for each piece, which is a part of a page's markup. It calls
/// ``run()`` at most once.
///
/// Text is handled as in liveview-native-core: each run of text between two nodes is trimmed, and
/// dropped if it is then empty. Unlike in the core, comments are kept, and an end tag closes the
/// nearest open element *of its name*.
struct NativeParser {
  private struct OpenElement {
    var node: NodeTree.Index
    var name: String
  }

  var tree = NodeTree()
  var tokenizer: Tokenizer
  private(set) var repairs: RepairedElements

  private var open: [OpenElement] = []
  /// The number of open elements by name, so that a stray end tag is found without a search of the
  /// stack.
  private var counts: [String: Int] = [:]
  /// The text since the last node. It continues after a stray end tag.
  private var text = ""
  private var textOffset: Int?

  /// - Parameter floor: the number of nodes around the markup, including the root; 0 for a whole
  ///   page. See ``RepairedElements``.
  init(_ bytes: UnsafeBufferPointer<UInt8>, floor: Int = 0) {
    repairs = RepairedElements(floor: floor, markupLength: bytes.count)
    tokenizer = Tokenizer(bytes, dialect: .native)
    tree.reserveCapacity(min(bytes.count / 16 + 8 + floor, MarkupParser.maximumNodes))
  }

  /// Makes a parser for a piece of markup. Its tree begins with the elements of the context, and
  /// these elements are open.
  init(_ bytes: UnsafeBufferPointer<UInt8>, in context: MarkupParser.Context) {
    self.init(bytes, floor: context.ancestors.count + 1)
    if context.ancestors.count > MarkupParser.Context.maximumDepth { repairs.markRoot() }
    for element in context.ancestors where !repairs.isRootIrregular {
      enter(tree.make(.element(element)), element.tag)
    }
  }

  /// Whether the tree has more nodes than the limit. Parsing then stops.
  var isTruncated: Bool { tree.count > MarkupParser.maximumNodes + repairs.floor }

  mutating func run() {
    // Elements that are open at the node limit are not reported: their end tags may be in the rest
    // of the markup.
    while !isTruncated {
      if repairs.isRootIrregular, repairs.isPiece { return }
      let kind = tokenizer.next()
      if tokenizer.isIrregular || tokenizer.isCut {
        tokenizer.isIrregular = false
        repairs.mark(current)
      }
      switch kind {
      case .text: addText()
      case .comment, .processingInstruction:
        flushText()
        tree.append(tree.make(.comment(tokenizer.text), offset: tokenizer.offset), to: current)
      case .startTag: start()
      case .endTag: end()
      case .endOfFile:
        flushText()
        if open.count + 1 > max(repairs.floor, 1) || repairs.isPiece && tokenizer.endsWithinMarkup {
          repairs.markRoot()
        }
        for element in open.dropFirst(max(repairs.floor - 1, 0)) {
          guard let offset = tree.offset(of: element.node) else { continue }
          tokenizer.log.report(
            "unclosed-element", at: offset,
            "`<\(element.name)>` has no end tag: it is closed at the end of the markup.")
        }
        return
      }
    }
    repairs.markRoot()
  }

  private var current: NodeTree.Index { open.last?.node ?? NodeTree.root }

  // MARK: - Tags

  private mutating func start() {
    flushText()
    var attributes: [Element.Attribute] = []
    swap(&attributes, &tokenizer.attributes)
    let name = tokenizer.name
    let node = tree.make(.element(Element(tag: name, attributes: attributes)), offset: tokenizer.offset)
    repairs.open(node, to: tokenizer.position)
    guard tokenizer.isSelfClosing else { return enter(node, name) }
    tree.append(node, to: current)
    repairs.close(node, at: tokenizer.offset)
  }

  private mutating func enter(_ node: NodeTree.Index, _ name: String) {
    tree.append(node, to: current)
    open.append(OpenElement(node: node, name: name))
    counts[name, default: 0] += 1
  }

  private mutating func end() {
    let (name, around) = (tokenizer.name, tree[current].element)
    guard counts[name, default: 0] > 0 else {
      tokenizer.log.report(
        "stray-end-tag", at: tokenizer.offset, about: current, inside: around,
        "Stray `</\(name)>`: no such element is open here, and the end tag is ignored.")
      // The texts before and after the stray end tag become one node, so they cannot be replaced
      // separately.
      repairs.mark(current)
      return
    }
    flushText()
    let isMisnested = open.last?.name != name
    if let inner = open.last, inner.name != name {
      tokenizer.log.report(
        "misnested-end-tag", at: tokenizer.offset, about: current, inside: around,
        "`</\(name)>` was found while `<\(inner.name)>` is still open: both end there.")
    }
    while let closed = open.popLast() {
      counts[closed.name, default: 1] -= 1
      guard closed.name == name else { continue }
      repairs.close(closed.node, at: tokenizer.offset)
      if isMisnested || open.count + 1 < repairs.floor { repairs.mark(closed.node) }
      return
    }
  }

  // MARK: - Text

  private mutating func addText() {
    if text.isEmpty {
      swap(&text, &tokenizer.text)
    } else {
      text.append(tokenizer.text)
    }
    if textOffset == nil, !tokenizer.isBlank { textOffset = tokenizer.contentOffset }
  }

  private mutating func flushText() {
    guard !text.isEmpty else { return }
    if let textOffset {
      let trimmed = text.trimmed
      if !trimmed.isEmpty { tree.append(tree.make(.text(trimmed), offset: textOffset), to: current) }
    }
    text = ""
    textOffset = nil
  }
}

extension String {
  /// The string without leading and trailing Unicode white space, which liveview-native-core
  /// removes with `str::trim`.
  fileprivate var trimmed: String {
    if let first = utf8.first, let last = utf8.last, first > 0x20, first < 0x80, last > 0x20, last < 0x80 {
      return self
    }
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[start...last])
  }
}
