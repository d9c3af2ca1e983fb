/// A template of a random page: statics with typed holes between them.
struct PageTemplate: Sendable {
  var statics = [""]
  var holes: [PageHole] = []
  /// Whether the server says that it is one element, as that of a function component.
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
  /// Nothing, or a fragment of one of these templates.
  case block([Int])
  case list(Int)
  /// Nothing, or a component of one of these templates.
  case component([Int])
  case stream(Int)
}

/// What kind of string a hole is filled with.
enum PageText: Sendable {
  /// Between tags, escaped.
  case content
  /// Between tags, as the application has it.
  case raw
  /// In `script`, `style` or `textarea`.
  case letters
  /// A part of an attribute's value.
  case value
  /// Attributes as a whole, with the space before each: often none.
  case attributes
  /// An id, in the quotes of the template.
  case id
  /// The attribute `id` as a whole.
  case idAttribute
  /// The id of a container, which stays.
  case containerID
  /// The id of a stream's item, which the stream knows.
  case itemID
  /// Attributes as a whole that LiveView's client has rules for.
  case rules
  /// The value of `phx-update`.
  case updateRule
  /// An attribute of a `select` or an `option` as a whole.
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
