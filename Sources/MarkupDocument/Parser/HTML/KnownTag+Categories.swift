/// The standard's categories of tag names (13.2.4.2 The stack of open elements, 13.1.2 Elements).
/// ``TreeBuilder``, ``TemplateReader`` and ``MarkupOutput`` ask for them.
extension KnownTag {
  /// Elements of the HTML namespace in the category "special".
  var isSpecial: Bool {
    switch self {
    case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body, .br, .button,
      .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption, .figure,
      .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html, .iframe,
      .img, .input, .keygen, .li, .link, .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript,
      .object, .ol, .p, .param, .plaintext, .pre, .script, .search, .section, .select, .source, .style, .summary,
      .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr, .track, .ul, .wbr, .xmp:
      true
    default: false
    }
  }

  /// Elements of the HTML namespace at which a search for an element "in scope" ends. `select` is
  /// one of them since the standard allows any content in it (2025).
  var limitsScope: Bool {
    switch self {
    case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template: true
    default: false
    }
  }

  /// Elements without content and end tag in the HTML serialisation (13.3): the void elements, and
  /// obsolete ones such as `bgsound`.
  var isVoid: Bool {
    switch self {
    case .area, .base, .basefont, .bgsound, .br, .col, .embed, .frame, .hr, .img, .input, .keygen, .link, .meta, .param,
      .source, .track, .wbr:
      true
    default: false
    }
  }

  /// Elements that the step "generate implied end tags" closes.
  var hasImpliedEndTag: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }

  /// Elements that can be left open without a diagnostic: `body`, `html`, and those that the step
  /// "generate all implied end tags thoroughly" closes.
  var mayStayOpen: Bool {
    switch self {
    case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr, .body, .html: true
    default: hasImpliedEndTag
    }
  }

  /// Elements of the category "formatting", which are added to the list of active formatting
  /// elements.
  var isFormatting: Bool {
    switch self {
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u: true
    default: false
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// Elements that accept only table parts as children. Any other node is foster-parented: it is
  /// inserted before the table.
  var fosters: Bool {
    switch self {
    case .table, .tbody, .tfoot, .thead, .tr: true
    default: false
    }
  }

  /// Elements whose text is written without escaping, and read without resolving character
  /// references.
  var holdsRawText: Bool {
    switch self {
    case .iframe, .noembed, .noframes, .plaintext, .script, .style, .xmp: true
    default: false
    }
  }

  /// Elements that contain only text: no tags are read up to the element's own end tag.
  var containsOnlyText: Bool { holdsRawText || self == .textarea || self == .title }

  /// Elements for which the parser drops a line feed directly after the start tag.
  var dropsLeadingLineFeed: Bool {
    switch self {
    case .listing, .pre, .textarea: true
    default: false
    }
  }

  /// Elements that add a marker to the list of active formatting elements: formatting elements from
  /// outside are not opened again inside.
  var pushesMarker: Bool {
    switch self {
    case .applet, .caption, .marquee, .object, .td, .template, .th: true
    default: false
    }
  }
}
