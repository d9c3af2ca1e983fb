/// Builds the tree: the tree construction stage (13.2.6) for a fragment in the context of a `div`.
/// ``MarkupParser`` makes one for each page in `html`, and for each piece, which is a part of a
/// page's markup. It calls ``run()`` at most once.
///
/// A browser does the same for `div.innerHTML = markup`, and so for a LiveView's page. Such a
/// fragment needs only eight of the standard's twenty-one insertion modes. "Text" is not needed
/// because the text of a raw element is read together with the element. "In table text" is not
/// needed because the tokenizer never splits a run of text.
///
/// Scripting is off, as in the inert document in which LiveView's client parses: the content of
/// `noscript` is markup.
///
/// Four limits are not in the standard:
/// - The number of nodes (``MarkupParser/maximumNodes``).
/// - The depth of the tree: 512, as in Chromium. In both, the adoption agency algorithm can move
///   nodes deeper.
/// - The number of open elements (``OpenElements/limit``).
/// - The active formatting elements and their clones (``FormattingElements``).
struct TreeBuilder {
  enum InsertionMode: UInt8 {
    case inBody, inTable, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate
  }

  typealias Kind = Tokenizer.Kind
  typealias Index = NodeTree.Index

  /// Chromium's `kMaximumHTMLParserDOMTreeDepth`.
  static let maximumDepth = 512

  var tree = NodeTree()
  var tokenizer: Tokenizer
  var open = OpenElements()
  var formatting: FormattingElements
  var mode = InsertionMode.inBody
  var templateModes: [InsertionMode] = []
  /// The form element pointer (13.2.4.4): the form that is open.
  var form: Index?
  /// Whether nodes that are not allowed in a table are inserted before it (13.2.6.1).
  var fosterParenting = false
  var hasSelectedContent = false
  /// Whether `formatting-limit` was reported. It is reported once, since every paragraph of a long
  /// page would repeat it.
  var hasReportedLimit = false
  /// Whether the markup is the content of a view's `div`, which a surplus `</div>` closes.
  var isInView = false
  /// Whether the markup has closed the view's `div`. The rest of the markup is ignored.
  var isEnded = false
  var repairs: RepairedElements

  /// - Parameter floor: the number of nodes around the markup, including the root; 0 for a whole
  ///   page. See ``RepairedElements``.
  init(_ bytes: UnsafeBufferPointer<UInt8>, floor: Int = 0) {
    repairs = RepairedElements(floor: floor, markupLength: bytes.count)
    tokenizer = Tokenizer(bytes, dialect: .html)
    formatting = FormattingElements(markupLength: bytes.count)
    // Most pages need fewer nodes than this, so the storage is seldom reallocated. The system
    // provides no memory for the part that is never written.
    tree.reserveCapacity(min(bytes.count / 16 + 8 + floor, MarkupParser.maximumNodes))
  }

  /// Whether the tree has more nodes than the limit. Parsing then stops, so the value stays `true`.
  var isTruncated: Bool { tree.count > MarkupParser.maximumNodes + repairs.floor }

  mutating func run() {
    while true {
      let current = open.current
      let isForeign = current.namespace != .html
      tokenizer.readsCDATA = isForeign
      tokenizer.dropsNull =
        !isForeign || !current.traits.isDisjoint(with: [.mathMLTextIntegrationPoint, .htmlIntegrationPoint])
      let kind = tokenizer.next()
      if kind == .endOfFile { break }
      let offset = tokenizer.offset
      let height = open.count
      open.beginToken()
      if isForeign, isForeignContent(kind) {
        processForeign(kind)
      } else {
        process(kind)
      }
      if !repairs.isRootIrregular {
        if !isRegular(kind, at: offset, height: height, in: current) {
          noteIrregularity(of: kind)
          if repairs.isRootIrregular, repairs.isPiece { return }
        } else if kind == .endTag {
          repairs.close(current.node, at: offset)
        } else if kind == .startTag, open.count == height, let leaf = tree.lastChild(of: current.node) {
          repairs.close(leaf, at: offset)
        }
      }
      if isEnded {
        repairs.markRoot()
        break
      }
      // Open elements are not reported: their end tags may be in the rest of the markup, which is
      // not read.
      if isTruncated { return repairs.markRoot() }
    }
    reportUnclosed()
    if hasSelectedContent { fillSelectedContent() }
    noteEnd()
  }

  /// Handles a token by the rules of the current insertion mode (13.2.6.4).
  mutating func process(_ kind: Kind) {
    switch mode {
    case .inBody: processInBody(kind)
    case .inTable: processInTable(kind)
    case .inCaption: processInCaption(kind)
    case .inColumnGroup: processInColumnGroup(kind)
    case .inTableBody: processInTableBody(kind)
    case .inRow: processInRow(kind)
    case .inCell: processInCell(kind)
    case .inTemplate: processInTemplate(kind)
    }
  }

  /// Resets the insertion mode appropriately (13.2.4.1). The root represents the `div`.
  mutating func resetInsertionMode() { mode = appropriateMode }

  /// The insertion mode that the open elements require.
  var appropriateMode: InsertionMode {
    for index in stride(from: open.count - 1, through: 0, by: -1) where open.entries[index].namespace == .html {
      switch open.entries[index].tag {
      case .td, .th: return .inCell
      case .tr: return .inRow
      case .tbody, .thead, .tfoot: return .inTableBody
      case .caption: return .inCaption
      case .colgroup: return .inColumnGroup
      case .table: return .inTable
      case .template: return templateModes.last ?? .inBody
      case .html: return .inBody
      default: continue
      }
    }
    return .inBody
  }

  // MARK: - Diagnostics

  func name(of entry: OpenElements.Entry) -> String { tree[entry.node].element?.tag ?? "" }

  var currentName: String { name(of: open.current) }

  mutating func report(_ code: StaticString, _ message: @autoclosure () -> String) {
    guard tokenizer.log.hasRoom else { return }
    let (node, element) = (open.current.node, tree[open.current.node].element)
    tokenizer.log.report(code, at: tokenizer.offset, about: node, inside: element, message())
  }

  mutating func reportStrayEndTag() {
    let name = tokenizer.name
    report("stray-end-tag", "Stray `</\(name)>`: no such element is open here, and browsers ignore the end tag.")
  }

  /// Ends the view at a surplus `</div>`. LiveView's client wraps the markup in the view's tag,
  /// parses it and uses only the first element.
  mutating func endView() {
    isEnded = true
    report(
      "closes-view",
      "Stray `</div>`: it closes the view's own element, and LiveView's client ignores the rest of the markup.")
  }

  mutating func reportStrayStartTag() {
    let name = tokenizer.name
    report("stray-start-tag", "`<\(name)>` is not allowed here: browsers ignore the start tag and keep its content.")
  }

  /// Reports that elements inside the one at `index` of the stack are still open. To be called
  /// before an end tag closes the element at `index`.
  mutating func reportMisnested(closing index: Int) {
    guard open.count - 1 > index, !open.current.tag.mayStayOpen else { return }
    let (name, inner) = (tokenizer.name, currentName)
    report(
      "misnested-end-tag",
      "`</\(name)>` was found while `<\(inner)>` inside its element is still open: browsers end both there.")
  }

  private mutating func reportUnclosed() {
    for entry in open.entries where entry.namespace != .html || !entry.tag.mayStayOpen {
      guard let offset = tree.offset(of: entry.node) else { continue }
      let (name, around) = (name(of: entry), tree.parent(of: entry.node).flatMap { tree[$0].element })
      tokenizer.log.report(
        "unclosed-element", at: offset, about: entry.node, inside: around,
        "`<\(name)>` has no end tag: browsers close it at the end of the markup.")
    }
  }
}
