internal import MarkupDocument
internal import MirrorSupport

/// A page as lines, in the form in which the pages of two recordings are compared:
///
///     <div id="phx-1">
///       <p class="count">
///         "Count: 3"
///
/// The lines leave out what differs between two sessions of the same app, or between two versions of its templates, and not for a
/// reader: node numbers, session tokens, comments, lines of templates, white space between elements. Random ids are numbered in
/// the order in which they appear.
struct PageTree {
  private(set) var lines: [String] = []
  private var ids: [Substring: Int] = [:]

  /// - Complexity: O(*bytes of the page*).
  init(_ document: Document) {
    var pending = [(node: document.root, depth: 0, keepsSpace: false)]
    while let (node, depth, keepsSpace) = pending.popLast() {
      var (childDepth, keeps) = (depth, keepsSpace)
      switch document.content(of: node) {
      case .element(let element):
        lines.append(indent(depth) + tag(element))
        childDepth += 1
        keeps = keepsSpace || ["pre", "textarea"].contains(element.tag)
      case .text(let text):
        let shown = keepsSpace ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !shown.isEmpty { lines.append(indent(depth) + quoted(shown)) }
      case .processingInstruction(let instruction):
        lines.append(indent(depth) + "<?\(instruction.target) \(instruction.data)?>")
      case .comment, .root, nil: break
      }
      for child in document.children(of: node).reversed() { pending.append((child, childDepth, keeps)) }
    }
  }

  private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private mutating func tag(_ element: Element) -> String {
    let isToken = element["name"] == "_csrf_token"
    var text = "<\(element.tag)"
    for attribute in element.attributes.sorted(by: { $0.name < $1.name }) {
      if Self.leftOut.contains(attribute.name) || isToken && attribute.name == "value" { continue }
      text += " \(attribute.name)" + (attribute.value.isEmpty ? "" : "=\(quoted(numberingIDs(in: attribute.value)))")
    }
    return text + ">"
  }

  /// Tokens of a session, and annotations with the lines of templates.
  private static let leftOut: Set = [
    "data-phx-session", "data-phx-static", "data-phx-loc", "data-phx-pid", "csrf-token",
  ]

  private func quoted(_ text: String) -> String {
    var json = JSONWriter()
    json.value(text)
    return json.text
  }

  /// Replaces ids such as `phx-GOnosOxcAhqp8gcB`, which LiveView makes of random bytes, by numbers: `phx-1`.
  private mutating func numberingIDs(in value: String) -> String {
    guard value.contains("phx-") else { return value }
    var (result, rest) = ("", value[...])
    while let range = rest.firstRange(of: "phx-") {
      let random = rest[range.upperBound...].prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
      }
      result += rest[..<range.upperBound]
      if random.count >= Self.shortestRandomID, random.contains(where: { $0.isNumber || $0.isUppercase }) {
        let number = ids[random] ?? ids.count + 1
        ids[random] = number
        result += String(number)
      } else {
        result += random
      }
      rest = rest[random.endIndex...]
    }
    return result + rest
  }

  private static let shortestRandomID = 12
}
