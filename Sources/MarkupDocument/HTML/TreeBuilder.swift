/// Builds the tree: the tree construction stage (13.2.6) for a fragment in the context of a `div`.
///
/// That is what a browser does with `div.innerHTML = markup`, and so with a LiveView's page. It leaves eight insertion
/// modes of the standard's twenty-three; "text" is not among them because the text of a raw element is read with it,
/// nor is "in table text" because the tokenizer cuts no run of text in two.
///
/// Scripting is off, as in the inert document in which LiveView's client parses: the content of `noscript` is markup.
///
/// Four things are limited that are not in the standard: the nodes (``MarkupParser/maximumNodes``), the depth of the
/// tree (512, Chromium's limit; what the adoption agency moves can come to stand deeper, there and here), the open
/// elements (``OpenElements/limit``) and the active formatting elements with their clones (``FormattingElements``).
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
  /// The form that is open, wherever it stands: 13.2.4.4 The element pointers.
  var form: Index?
  /// 13.2.6.1: whether what does not belong into a table is put in front of it.
  var fosterParenting = false
  var hasSelectedContent = false
  /// A page of many paragraphs would report it for each, and nothing else.
  var hasReportedLimit = false
  /// Whether the markup stands in the element of a view, which an end tag of its own name closes.
  var isInView = false
  /// The markup has closed the view's element: what follows is not the view's.
  var isEnded = false
  var regularity: Regularity

  /// - Parameter floor: how many nodes stand around the markup, see ``Regularity``.
  init(_ bytes: UnsafeBufferPointer<UInt8>, floor: Int = 0) {
    regularity = Regularity(floor: floor, markupLength: bytes.count)
    tokenizer = Tokenizer(bytes, dialect: .html)
    formatting = FormattingElements(markupLength: bytes.count)
    // More than most pages need, so that the storage does not move; what is not used is never touched.
    tree.reserveCapacity(min(bytes.count / 16 + 8 + floor, MarkupParser.maximumNodes))
  }

  /// Whether there are more nodes than are read; from then on nothing is added and nothing taken away.
  var isTruncated: Bool { tree.count > MarkupParser.maximumNodes + regularity.floor }

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
      if !regularity.isLost {
        if !isRegular(kind, at: offset, height: height, in: current) {
          noteIrregularity(of: kind)
          if regularity.isLost, regularity.isPiece { return }
        } else if kind == .endTag {
          regularity.close(current.node, at: offset)
        } else if kind == .startTag, open.count == height, let leaf = tree.lastChild(of: current.node) {
          regularity.close(leaf, at: offset)
        }
      }
      if isEnded {
        regularity.lose()
        break
      }
      // What is open here may well be closed in the part that is not read.
      if isTruncated { return regularity.lose() }
    }
    reportUnclosed()
    if hasSelectedContent { fillSelectedContent() }
    noteEnd()
  }

  /// Handles a token by the rules of the current mode (13.2.6.4).
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

  /// 13.2.4.1 Reset the insertion mode appropriately, where the root stands for the `div`.
  mutating func resetInsertionMode() { mode = appropriateMode }

  /// The mode that the open elements call for.
  var appropriateMode: InsertionMode {
    for place in stride(from: open.count - 1, through: 0, by: -1) where open.entries[place].namespace == .html {
      switch open.entries[place].tag {
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
    tokenizer.log.report(code, at: tokenizer.offset, message())
  }

  mutating func reportStrayEndTag() {
    let name = tokenizer.name
    report("stray-end-tag", "`</\(name)>` closes nothing that is open here and was ignored.")
  }

  /// LiveView's client wraps the markup of a view in the view's tag and takes the first element.
  mutating func endView() {
    isEnded = true
    report("closes-view", "`</div>` closes the view's own element: LiveView's client shows nothing of what follows.")
  }

  mutating func reportStrayStartTag() {
    let name = tokenizer.name
    report("stray-start-tag", "`<\(name)>` has no place here and was ignored; its content was kept.")
  }

  /// Says, before an end tag closes the element at a place, that others above it are still open.
  mutating func reportMisnested(closing place: Int) {
    guard open.count - 1 > place, !open.current.tag.mayStayOpen else { return }
    let (name, inner) = (tokenizer.name, currentName)
    report("misnested-end-tag", "`</\(name)>` comes while `<\(inner)>` is still open, and closes that too.")
  }

  private mutating func reportUnclosed() {
    for entry in open.entries where entry.namespace != .html || !entry.tag.mayStayOpen {
      guard let offset = tree.offset(of: entry.node) else { continue }
      let name = name(of: entry)
      tokenizer.log.report(
        "unclosed-element", at: offset, "`<\(name)>` is never closed: it ends where the markup ends.")
    }
  }
}
