internal import MarkupDocument
internal import MirrorSupport

/// The word for elements of a tag, as a person who uses the page would say it: `row` for `tr`.
///
/// ``Headline`` uses it for the elements of a change.
struct ElementNoun: Hashable {
  /// The singular, such as `row`.
  let word: String
  /// `nil` for the plural that ``Formatted/count(_:_:)`` makes.
  private var plural: String?

  /// Whether the word says little, so that a text of the element says more.
  var isVague: Bool { word == "element" || word == "text" }

  init(word: String) { self.word = word }

  /// - Parameter list: the name of the element around the elements. If its `id` ends with a plural,
  ///   the plural names the items: the items of `<ul#todos>` and of `<tbody#open-todos>` are todos.
  init(_ tag: String, in list: DisplayName? = nil) {
    if case .element(_, let id?) = list, Self.items.contains(tag), let word = Self.itemWord(in: id) {
      self.word = word.singular
      plural = word.plural
    } else if let word = Self.words[tag] {
      self.word = word
    } else {
      word = Self.others.contains(tag) ? "element" : "<\(tag)> element"
    }
  }

  private static let items: Set = ["li", "tr", "div", "article", "section", "option", "a"]

  /// `1 box`, `2 boxes`.
  func count(_ number: Int) -> String {
    guard let plural, number != 1 else { return Formatted.count(number, word) }
    return "\(Formatted.grouped(number)) \(plural)"
  }

  /// The last word of an `id`, if it is the plural of items.
  private static func itemWord(in id: String) -> (singular: String, plural: String)? {
    let last = id.split { $0 == "-" || $0 == "_" }.last.map(String.init) ?? ""
    guard last.count >= 4, last.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
      !Self.noItems.contains(last), let word = Self.singulars[last] ?? Self.singular(of: last)
    else { return nil }
    return (word, last)
  }

  private static func singular(of plural: String) -> String? {
    if plural.hasSuffix("ies") { return plural.dropLast(3) + "y" }
    if ["sses", "xes", "ches", "shes"].contains(where: { plural.hasSuffix($0) }) { return String(plural.dropLast(2)) }
    let isSingular = ["ss", "us", "is", "as", "os"].contains { plural.hasSuffix($0) }
    return plural.hasSuffix("s") && !isSingular ? String(plural.dropLast()) : nil
  }

  /// The singulars that do not follow from the ending.
  private static let singulars = [
    "todos": "todo", "photos": "photo", "videos": "video", "movies": "movie", "cookies": "cookie", "caches": "cache",
    "quizzes": "quiz", "statuses": "status",
  ]

  /// Words that name the container, not its items, and words that are not plurals.
  private static let noItems: Set = [
    "actions", "controls", "buttons", "settings", "options", "details", "stats", "tools", "news", "series", "species",
    "lens",
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
