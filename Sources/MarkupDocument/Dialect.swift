/// The markup languages that a LiveView can render.
public enum Dialect: String, Sendable, CaseIterable {
  /// HTML by the WHATWG standard, parsed in the context of a `div`.
  case html
  /// LiveView Native's markup: names keep their case, `/>` closes any element, text is trimmed and blank text dropped.
  case native
}

extension Dialect {
  /// The names of all dialects, for messages: `html or native`.
  package static var names: String { allCases.map(\.rawValue).joined(separator: " or ") }
}

// Properties of a dialect that other code depends on. No `switch` has a default, so a new dialect compiles only once every
// property is defined for it.
extension Dialect {
  /// Whether the names of elements and attributes are converted to lower case.
  package var foldsCase: Bool {
    switch self {
    case .html: true
    case .native: false
    }
  }

  /// Whether element names have their HTML meaning: void elements, raw text, the line feed dropped after `<pre>`.
  package var hasHTMLElements: Bool {
    switch self {
    case .html: true
    case .native: false
    }
  }

  /// Whether the parser drops U+0000 in texts.
  package var dropsNull: Bool {
    switch self {
    case .html: true
    case .native: false
    }
  }

  /// Whether a text node keeps all the white space of its source.
  package var keepsText: Bool {
    switch self {
    case .html: true
    case .native: false
    }
  }

  /// Whether LiveView's JavaScript client patches the page, so that all rules in `Client/` apply. LiveView Native's client
  /// supports `phx-update` only.
  package var isPatchedByBrowser: Bool {
    switch self {
    case .html: true
    case .native: false
    }
  }
}

extension Dialect {
  /// Whether no browser shows the content of an element, although it changes: a portal's `template` holds a copy of what the portal
  /// shows elsewhere. Other templates keep the content that they were created with.
  package func hidesContent(of content: NodeContent) -> Bool {
    isPatchedByBrowser && content.element?.isPortalTemplate == true
  }
}
