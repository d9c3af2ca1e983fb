import LiveViewMirror
import MarkupDocument
import MirrorSupport

@testable import MirrorInspector

/// A form of an answer beside JSON. Each shows long values and large numbers in its own way, so the
/// value in the JSON is written in the way of the form before it is compared.
enum Form {
  /// `text/plain`: exact numbers, and texts of at most 60 characters.
  case text
  /// `text/html`: `12.4 kB`, `60,014`, and texts of at most 100 characters with visible white
  /// space.
  case page

  func bytes(_ number: Int?) -> String? {
    number.map { self == .text ? Formatted.bytes($0) : HTML.bytes($0).text }
  }

  func count(_ number: Int?) -> String? {
    number.map { self == .text ? "\($0)" : HTML.count($0).text }
  }

  /// - Parameter limit: the number of characters that the page shows.
  func quoted(_ text: String?, limit: Int = 100) -> String {
    switch self {
    case .text: text.map { Terminal.quoted($0) } ?? "none"
    case .page: ParsedPage.words(ParsedPage(HTML.quoted(text, limit: limit)).text())
    }
  }
}

extension ParsedPage {
  /// A text with single spaces.
  static func words(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }

  /// The text of an element with single spaces.
  func words(of place: Place?) -> String { place.map { Self.words(text(of: $0)) } ?? "" }

  typealias Place = NodeTree.Index

  /// The elements below a place with a tag and a class, in document order.
  func all(_ tag: String, _ name: String? = nil, in top: Place) -> [Place] {
    tree.preorder(from: top).filter { place in
      guard place != top, let element = tree[place].element, element.tag == tag else { return false }
      return name.map(element.classes.contains) ?? true
    }
  }

  func first(_ tag: String, _ name: String? = nil, in top: Place) -> Place? { all(tag, name, in: top).first }

  /// The first element of the page with a tag and a class.
  func first(_ tag: String, _ name: String? = nil) -> Place? { elements(tag, class: name).first?.place }

  /// The child elements of a place with a tag and a class.
  func children(_ tag: String, _ name: String? = nil, of top: Place) -> [Place] {
    tree.children(of: top).filter { place in
      guard let element = tree[place].element, element.tag == tag else { return false }
      return name.map(element.classes.contains) ?? true
    }
  }

  func attribute(_ name: String, of place: Place) -> String? { tree[place].element?[name] }

  /// The rows of the body of a table as the texts of their cells.
  func rows(ofTable name: String) -> [[String]] {
    guard let table = first("table", name), let body = first("tbody", in: table) else { return [] }
    return children("tr", of: body).map { row in
      tree.children(of: row).filter { ["td", "th"].contains(tree[$0].element?.tag) }.map { words(of: $0) }
    }
  }

  /// The values of a list of names and values (`dl`), by name.
  func definitions(in top: Place) -> [String: String] {
    let pairs = all("div", in: top).compactMap { row -> (String, String)? in
      guard let name = first("dt", in: row), let value = first("dd", in: row) else { return nil }
      return (words(of: name), words(of: value))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
