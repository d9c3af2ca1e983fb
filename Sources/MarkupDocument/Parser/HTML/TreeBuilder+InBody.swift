/// The insertion mode "in body" (13.2.6.4.7): start tags and text. It includes the start tags that
/// the standard handles by the rules of "in head". ``process(_:)`` calls ``processInBody(_:)``, and
/// so do the other insertion modes for tokens without a rule of their own.
extension TreeBuilder {
  mutating func processInBody(_ kind: Kind) {
    switch kind {
    case .text:
      if !formatting.isEmpty { reconstructFormatting() }
      insertText()
    case .comment: insertComment()
    case .processingInstruction: insertProcessingInstruction()
    case .startTag: startInBody()
    case .endTag: endInBody()
    case .endOfFile: break
    }
  }

  private mutating func startInBody() {
    switch tokenizer.tag {
    case .other, .span, .code, .em, .strong, .b, .big, .font, .i, .s, .small, .strike, .tt, .u, .a, .nobr: startPhrase()

    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset, .figcaption,
      .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary, .ul:
      closeParagraphInButtonScope()
      insertElement()
    case .h1, .h2, .h3, .h4, .h5, .h6:
      closeParagraphInButtonScope()
      if open.current.namespace == .html, open.current.tag.isHeading {
        let inner = currentName
        report(
          "nested-heading",
          "A heading begins in an open `<\(inner)>`: browsers close the open one, since headings cannot be nested.")
        open.pop()
      }
      insertElement()
    case .pre, .listing:
      closeParagraphInButtonScope()
      insertElement()
      tokenizer.skipsLineFeed = true
    case .form: startForm()
    case .li: startItem(closing: .li, .li)
    case .dd, .dt: startItem(closing: .dd, .dt)
    case .plaintext:
      closeParagraphInButtonScope()
      insertElement()
      tokenizer.isPlaintext = true
    case .table:
      closeParagraphInButtonScope()
      insertElement()
      mode = .inTable
    case .hr:
      closeParagraphInButtonScope()
      if open.isInScope(.select) { generateImpliedEndTags() }
      insertVoidElement()

    case .button:
      if open.isInScope(.button) {
        report(
          "nested-button",
          "A `<button>` begins in an open one: browsers close the open one, since buttons cannot be nested.")
        generateImpliedEndTags()
        open.pop(through: .button)
      }
      reconstructFormatting()
      insertElement()
    case .applet, .marquee, .object:
      reconstructFormatting()
      insertElement()
      formatting.pushMarker()
    case .area, .br, .embed, .img, .keygen, .wbr:
      reconstructFormatting()
      insertVoidElement()
    case .image:
      report("image-tag", "`<image>` is not an element of HTML: browsers read it as `<img>`.")
      tokenizer.isIrregular = true
      tokenizer.tag = .img
      tokenizer.name = "img"
      reconstructFormatting()
      insertVoidElement()
    case .param, .source, .track: insertVoidElement()

    case .select, .input, .option, .optgroup: startInSelect()

    case .textarea, .title: insertRawText(decoding: true)
    case .xmp:
      closeParagraphInButtonScope()
      reconstructFormatting()
      insertRawText(decoding: false)
    case .iframe, .noembed, .noframes, .style, .script: insertRawText(decoding: false)
    case .base, .basefont, .bgsound, .link, .meta: insertVoidElement()
    case .template: startTemplate()

    case .rb, .rtc: startRuby(except: .other)
    case .rp, .rt: startRuby(except: .rtc)
    case .math: startForeign(.mathML)
    case .svg: startForeign(.svg)
    case .html, .body, .caption, .col, .colgroup, .frame, .frameset, .head, .tbody, .td, .tfoot, .th, .thead, .tr:
      reportStrayStartTag()
    default:
      reconstructFormatting()
      insertElement()
      if tokenizer.tag == .selectedcontent { hasSelectedContent = true }
    }
  }

  /// Handles start tags of formatting elements, and of elements without a rule of their own.
  private mutating func startPhrase() {
    let tag = tokenizer.tag
    guard tag.isFormatting else {
      reconstructFormatting()
      insertElement()
      return
    }
    if tag == .a, let index = formatting.lastIndex(of: .a) {
      let node = formatting.entries[index].node
      report(
        "nested-link", "An `<a>` begins in an open one: browsers close the open one, since links cannot be nested.")
      runAdoptionAgency(for: .a)
      formatting.remove(node)
      if let index = open.position(of: node, hint: open.count) { open.remove(at: index) }
    }
    reconstructFormatting()
    if tag == .nobr, open.isInScope(.nobr) {
      report("nested-nobr", "A `<nobr>` begins in an open one: browsers close the open one.")
      runAdoptionAgency(for: .nobr)
      reconstructFormatting()
    }
    insertFormattingElement()
  }

  private mutating func startForm() {
    let isInTemplate = open.contains(.template)
    if form != nil, !isInTemplate {
      report(
        "nested-form", "A `<form>` begins in an open one: browsers ignore the inner start tag and keep its content.")
      return
    }
    closeParagraphInButtonScope()
    let node = insertElement()
    if !isInTemplate { form = node }
  }

  /// Handles the start tags of `li`, `dd` and `dt`. Such a tag closes an open `li`, or an open `dd`
  /// or `dt`, unless a special element other than `address`, `div` or `p` is open inside of it.
  private mutating func startItem(closing first: KnownTag, _ second: KnownTag) {
    let lowest = open.contains(first) || open.contains(second) ? 1 : open.count
    for index in stride(from: open.count - 1, through: lowest, by: -1) {
      let entry = open.entries[index]
      if entry.isHTML(first) || entry.isHTML(second) {
        generateImpliedEndTags(except: entry.tag)
        if open.current.node != entry.node {
          let inner = currentName
          report(
            "misnested-end-tag",
            "A `<\(entry.tag.name)>` ends here although `<\(inner)>` in it is still open: browsers end both.")
        }
        open.pop(through: entry.tag)
        break
      }
      if entry.traits.contains(.special), !entry.isHTML(.address), !entry.isHTML(.div), !entry.isHTML(.p) { break }
    }
    closeParagraphInButtonScope()
    insertElement()
  }

  private mutating func startRuby(except tag: KnownTag) {
    if open.isInScope(.ruby) { generateImpliedEndTags(except: tag) }
    insertElement()
  }

  /// Handles `select`, `input`, `option` and `optgroup`. Since 2025 a `select` can have any
  /// content, but a nested `select` or an `input` closes it.
  private mutating func startInSelect() {
    switch tokenizer.tag {
    case .input:
      if open.isInScope(.select) {
        report("input-in-select", "An `<input>` is in a `<select>`: browsers close the `<select>` first.")
        open.pop(through: .select)
      }
      reconstructFormatting()
      insertVoidElement()
    case .select:
      if open.isInScope(.select) {
        report(
          "nested-select",
          "A `<select>` begins in an open one: browsers close the open one and ignore the inner start tag.")
        open.pop(through: .select)
        return
      }
      reconstructFormatting()
      insertElement()
    case .option where open.isInScope(.select): startOption(closesGroup: false)
    case .optgroup where open.isInScope(.select): startOption(closesGroup: true)
    default:
      if open.current.isHTML(.option) { open.pop() }
      reconstructFormatting()
      insertElement()
    }
  }

  private mutating func startOption(closesGroup: Bool) {
    generateImpliedEndTags(except: closesGroup ? .other : .optgroup)
    reconstructFormatting()
    insertElement()
  }
}
