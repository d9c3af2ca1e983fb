/// Builds the tree of LiveView Native's markup: what stands there and nothing that is implied.
///
/// Text is what liveview-native-core makes of it: each run between two nodes is trimmed and, when nothing is left,
/// dropped. Unlike the core, comments are kept, and an end tag closes the nearest open element *of its name*.
struct NativeParser {
  private struct OpenElement {
    var node: NodeTree.Index
    var name: String
  }

  var tree = NodeTree()
  var tokenizer: Tokenizer
  private(set) var regularity: Regularity

  private var open: [OpenElement] = []
  /// How many elements of each name are open, so that a stray end tag does not search the stack.
  private var counts: [String: Int] = [:]
  /// Text up to the next node, which a stray end tag does not end.
  private var text = ""
  private var textOffset: Int?

  /// - Parameter floor: how many nodes stand around the markup, see ``Regularity``.
  init(_ bytes: UnsafeBufferPointer<UInt8>, floor: Int = 0) {
    regularity = Regularity(floor: floor, markupLength: bytes.count)
    tokenizer = Tokenizer(bytes, dialect: .native)
    tree.reserveCapacity(min(bytes.count / 16 + 8 + floor, MarkupParser.maximumNodes))
  }

  /// A parser that stands inside the elements of a context; they are the first nodes of its tree.
  init(_ bytes: UnsafeBufferPointer<UInt8>, in context: MarkupParser.Context) {
    self.init(bytes, floor: context.ancestors.count + 1)
    if context.ancestors.count > MarkupParser.Context.maximumDepth { regularity.lose() }
    for element in context.ancestors where !regularity.isLost {
      enter(tree.make(.element(element)), element.tag)
    }
  }

  /// Whether there are more nodes than are read.
  var isTruncated: Bool { tree.count > MarkupParser.maximumNodes + regularity.floor }

  mutating func run() {
    // What is open when the limit is reached may well be closed in the part that is not read: nothing is said of it.
    while !isTruncated {
      if regularity.isLost, regularity.isPiece { return }
      let kind = tokenizer.next()
      if tokenizer.isIrregular || tokenizer.isCut {
        tokenizer.isIrregular = false
        regularity.mark(current)
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
        if open.count + 1 > max(regularity.floor, 1) || regularity.isPiece && tokenizer.endsWithinMarkup {
          regularity.lose()
        }
        for element in open.dropFirst(max(regularity.floor - 1, 0)) {
          guard let offset = tree.offset(of: element.node) else { continue }
          tokenizer.log.report(
            "unclosed-element", at: offset, "`<\(element.name)>` is never closed: it ends where the markup ends.")
        }
        return
      }
    }
    regularity.lose()
  }

  private var current: NodeTree.Index { open.last?.node ?? NodeTree.root }

  // MARK: - Tags

  private mutating func start() {
    flushText()
    var attributes: [Element.Attribute] = []
    swap(&attributes, &tokenizer.attributes)
    let name = tokenizer.name
    let node = tree.make(.element(Element(tag: name, attributes: attributes)), offset: tokenizer.offset)
    guard tokenizer.isSelfClosing else { return enter(node, name) }
    tree.append(node, to: current)
    regularity.close(node, at: tokenizer.offset)
  }

  private mutating func enter(_ node: NodeTree.Index, _ name: String) {
    tree.append(node, to: current)
    open.append(OpenElement(node: node, name: name))
    counts[name, default: 0] += 1
  }

  private mutating func end() {
    let name = tokenizer.name
    guard counts[name, default: 0] > 0 else {
      tokenizer.log.report(
        "stray-end-tag", at: tokenizer.offset, "`</\(name)>` closes nothing that is open here and was ignored.")
      // The text behind it goes on with the text before.
      regularity.mark(current)
      return
    }
    flushText()
    let isMisnested = open.last?.name != name
    if let inner = open.last, inner.name != name {
      tokenizer.log.report(
        "misnested-end-tag", at: tokenizer.offset,
        "`</\(name)>` comes while `<\(inner.name)>` is still open, and closes that too.")
    }
    while let closed = open.popLast() {
      counts[closed.name, default: 1] -= 1
      guard closed.name == name else { continue }
      regularity.close(closed.node, at: tokenizer.offset)
      if isMisnested || open.count + 1 < regularity.floor { regularity.mark(closed.node) }
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
  /// Without the white space of Unicode at both ends, which is what the core's `str::trim` takes away.
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
