internal import MarkupDocument

/// The word for elements of a tag, as a person who uses the page would say it: `row` for `tr`.
///
/// ``Headline`` uses it for the elements of a change.
struct ElementNoun: Hashable {
  /// The singular, such as `row`. ``Formatted/count(_:_:)`` makes the plural.
  let word: String

  /// Whether the word says little, so that a text of the element says more.
  var isVague: Bool { word == "element" || word == "text" }

  init(word: String) { self.word = word }

  /// - Parameter list: the name of the element around them. Its `id` names its items if it ends
  ///   like a plural: the items of `<ul#todos>` and of `<tbody#open-todos>` are todos.
  init(_ tag: String, in list: DisplayName? = nil) {
    if case .element(_, let id?) = list, Self.items.contains(tag), let word = Self.singular(of: id) {
      self.word = word
    } else if let word = Self.words[tag] {
      self.word = word
    } else {
      word = Self.others.contains(tag) ? "element" : "<\(tag)> element"
    }
  }

  private static let items: Set = ["li", "tr", "div", "article", "section", "option", "a"]

  private static func singular(of id: String) -> String? {
    let last = id.split { $0 == "-" || $0 == "_" }.last.map(String.init) ?? ""
    guard last.count >= 4, last.hasSuffix("s"), !last.hasSuffix("ss"), !last.hasSuffix("us"),
      last.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }), !Self.noItems.contains(last)
    else { return nil }
    return last.hasSuffix("ies") ? last.dropLast(3) + "y" : String(last.dropLast())
  }

  /// Plural words that name the container, not its items.
  private static let noItems: Set = [
    "actions", "controls", "buttons", "settings", "options", "details", "stats", "tools",
  ]

  private static let words: [String: String] = [
    "a": "link", "article": "article", "button": "button", "dd": "description", "dt": "term", "form": "form",
    "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading",
    "img": "image", "input": "field", "label": "label", "li": "list item", "ol": "list", "option": "option",
    "p": "paragraph", "progress": "progress bar", "select": "menu", "svg": "drawing", "table": "table",
    "tbody": "table body", "td": "cell",
    "textarea": "text field", "th": "heading cell", "tr": "row", "ul": "list",
  ]
  /// Tags that say nothing to a person who uses the page.
  private static let others: Set = [
    "abbr", "aside", "b", "bdi", "br", "code", "del", "div", "em", "footer", "header", "hr", "i", "ins", "kbd", "main",
    "mark", "nav", "pre", "s", "samp", "section", "small", "span", "strong", "sub", "sup", "time", "u", "wbr",
  ]
}
