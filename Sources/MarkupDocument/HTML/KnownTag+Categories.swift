/// The classes that the standard puts tag names in (13.2.4.2 The stack of open elements, 13.1.2 Elements).
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

  /// The end of what "in scope" can see, in the HTML namespace. `select` is one since its contents were set free.
  var bordersScope: Bool {
    switch self {
    case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template: true
    default: false
    }
  }

  /// Elements without content, in the HTML serialisation.
  var isVoid: Bool {
    switch self {
    case .area, .base, .basefont, .bgsound, .br, .col, .embed, .frame, .hr, .img, .input, .keygen, .link, .meta, .param,
      .source, .track, .wbr:
      true
    default: false
    }
  }

  /// Elements that "generate implied end tags" closes.
  var hasImpliedEndTag: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }

  /// Elements that may be left open: the above, and those that "generate all implied end tags thoroughly" closes.
  var mayStayOpen: Bool {
    switch self {
    case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr, .body, .html: true
    default: hasImpliedEndTag
    }
  }

  /// Elements after which the active formatting elements are put back.
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

  /// The elements in which only table parts may stand: anything else is moved in front of the table.
  var fosters: Bool {
    switch self {
    case .table, .tbody, .tfoot, .thead, .tr: true
    default: false
    }
  }

  /// Elements whose text is written as it is, without escapes, and read without references.
  var holdsRawText: Bool {
    switch self {
    case .iframe, .noembed, .noframes, .plaintext, .script, .style, .xmp: true
    default: false
    }
  }

  /// Elements that hold text up to their end tag, whatever tags it seems to have.
  var holdsNoMarkup: Bool { holdsRawText || self == .textarea || self == .title }

  /// Elements at whose start one line feed is dropped.
  var dropsLeadingLineFeed: Bool {
    switch self {
    case .listing, .pre, .textarea: true
    default: false
    }
  }

  /// Elements that what is formatted outside of them does not reach into.
  var pushesMarker: Bool {
    switch self {
    case .applet, .caption, .marquee, .object, .td, .template, .th: true
    default: false
    }
  }
}
