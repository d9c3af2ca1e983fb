/// A template of a random page: statics with typed slots between them.
struct PageTemplate: Sendable {
  var statics = [""]
  var holes: [PageHole] = []
  /// Whether the server marks the template as one root element (`r`), as for a function component.
  var isRoot = false

  mutating func write(_ text: String) { statics[statics.count - 1] += text }

  mutating func open(_ hole: PageHole) {
    holes.append(hole)
    statics.append("")
  }
}

/// The content of a slot.
enum PageHole: Sendable {
  case text(PageText)
  /// Empty, or a fragment of one of these templates.
  case block([Int])
  case list(Int)
  /// Empty, or a component of one of these templates.
  case component([Int])
  case stream(Int)
}

/// The kind of string in a slot.
enum PageText: Sendable {
  /// Escaped text between tags.
  case content
  /// Raw markup between tags.
  case raw
  /// In `script`, `style` or `textarea`.
  case letters
  /// A part of an attribute value.
  case value
  /// Whole attributes, each with a leading space; often empty.
  case attributes
  /// An id, in the quotes of the template.
  case id
  /// The whole attribute `id`.
  case idAttribute
  /// The id of a container, which does not change.
  case containerID
  /// The id of a stream item, which the insertions of the stream name too.
  case itemID
  /// Whole attributes for which LiveView's client has rules.
  case rules
  /// The value of `phx-update`.
  case updateRule
  /// A whole attribute of a `select` or an `option`.
  case selection
}

/// The context of markup, which determines the permitted content.
enum PageContext: CaseIterable, Sendable {
  case flow, phrasing, items, rows, cells, options, vector, letters

  var takesText: Bool {
    switch self {
    case .flow, .phrasing, .letters: true
    case .items, .rows, .cells, .options, .vector: false
    }
  }

  var tags: [String] {
    switch self {
    case .flow:
      [
        "div", "div", "div", "section", "p", "p", "ul", "ul", "table", "table", "h2", "form", "pre", "select", "a",
        "button", "span", "svg", "textarea", "article", "details", "br", "img", "input", "script", "style", "label",
      ]
    case .phrasing: ["span", "span", "b", "i", "em", "code", "a", "br", "img", "svg", "u"]
    case .items: ["li"]
    case .rows: ["tr"]
    case .cells: ["td", "td", "th"]
    case .options: ["option"]
    case .vector: ["g", "path", "circle", "text", "foreignObject"]
    case .letters: ["span"]
    }
  }
}
