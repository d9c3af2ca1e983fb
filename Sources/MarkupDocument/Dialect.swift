/// The markup languages that a LiveView can render. Journals have the raw values, so these must not
/// change. `MarkupParser`, `MarkupOutput` and `ClientPatch` follow the dialect.
public enum Dialect: String, Sendable, CaseIterable {
  /// HTML by the WHATWG standard, parsed in the context of a `div`.
  case html
  /// LiveView Native's markup: names keep their case, `/>` closes any element, text is trimmed and
  /// blank text dropped.
  case native
}

extension Dialect {
  /// The names of all dialects, for messages: `html or native`.
  package static var names: String { allCases.map(\.rawValue).joined(separator: " or ") }
}

/// The properties of a dialect that other code depends on. No property has a default, so a new
/// dialect compiles only after all of them are defined.
private struct DialectTraits {
  let foldsCase, hasHTMLElements, dropsNull, keepsText, isPatchedByBrowser: Bool
}

extension Dialect {
  private var traits: DialectTraits {
    switch self {
    case .html:
      DialectTraits(foldsCase: true, hasHTMLElements: true, dropsNull: true, keepsText: true, isPatchedByBrowser: true)
    case .native:
      DialectTraits(
        foldsCase: false, hasHTMLElements: false, dropsNull: false, keepsText: false, isPatchedByBrowser: false)
    }
  }

  /// Whether the names of elements and attributes are converted to lower case.
  package var foldsCase: Bool { traits.foldsCase }

  /// Whether element names have their HTML meaning: void elements, raw text, the line feed dropped
  /// after `<pre>`.
  package var hasHTMLElements: Bool { traits.hasHTMLElements }

  /// Whether the parser drops U+0000 in texts.
  package var dropsNull: Bool { traits.dropsNull }

  /// Whether a text node keeps all the white space of its source.
  package var keepsText: Bool { traits.keepsText }

  /// Whether LiveView's JavaScript client patches the page, so that all rules in `Client/` apply.
  /// LiveView Native's client supports `phx-update` only.
  package var isPatchedByBrowser: Bool { traits.isPatchedByBrowser }
}

extension Dialect {
  /// Whether the content of an element can change although no browser shows it. This is so for a
  /// portal's `template`, which holds a copy of the element that the portal shows elsewhere. Other
  /// templates keep the content that they were created with.
  package func hidesContent(of content: NodeContent) -> Bool {
    isPatchedByBrowser && content.element?.isPortalTemplate == true
  }
}
