internal import MarkupDocument
internal import MirrorSupport

/// A page as lines, in the form in which the pages of two recordings are compared:
///
///     <div id="phx-1">
///       <p class="count">
///         "Count: 3"
///
/// The lines leave out what can differ between two sessions of the app, or two versions of its
/// templates, although a reader of the page sees no difference: node numbers, session tokens,
/// comments, lines of templates, and white space between elements. Random ids are numbered in the
/// order in which they appear. ``Divergence`` has the lines of both pages.
struct ComparableTree {
  private(set) var lines: [String] = []
  /// The node of each line.
  private(set) var nodes: [NodeRef] = []
  private var ids: [Substring: Int] = [:]

  private init() {}

  /// - Complexity: O(*bytes of the page*).
  init(_ document: Document) {
    var pending = [(node: document.root, depth: 0, keepsSpace: false)]
    while let (node, depth, keepsSpace) = pending.popLast() {
      let content = document.content(of: node)
      if let line = line(of: content, keepsSpace: keepsSpace) {
        lines.append(indent(depth) + line)
        nodes.append(node)
      }
      let keeps = keepsSpace || content?.element.map { Self.spaced.contains($0.tag) } ?? false
      let childDepth = content?.element == nil ? depth : depth + 1
      for child in document.children(of: node).reversed() { pending.append((child, childDepth, keeps)) }
    }
  }

  /// The line of a node without its indent; empty for a node without a line. `nil` if the line has
  /// random ids, because their numbers depend on other lines.
  ///
  /// - Complexity: O(*bytes* + *depth*).
  static func line(of node: NodeRef, in document: Document) -> String? {
    var tree = ComparableTree()
    let outer = document.path(to: node).dropLast().compactMap { document.content(of: $0)?.element?.tag }
    let line = tree.line(of: document.content(of: node), keepsSpace: outer.contains(where: spaced.contains)) ?? ""
    return tree.ids.isEmpty ? line : nil
  }

  private mutating func line(of content: NodeContent?, keepsSpace: Bool) -> String? {
    switch content {
    case .element(let element): return tag(element)
    case .text(let text):
      let shown = keepsSpace ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return shown.isEmpty ? nil : quoted(shown)
    case .processingInstruction(let instruction): return "<?\(instruction.target) \(instruction.data)?>"
    case .comment, .root, nil: return nil
    }
  }

  /// The elements in which white space is shown.
  private static let spaced: Set = ["pre", "textarea"]

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

  /// Replaces ids such as `phx-GOnosOxcAhqp8gcB`, which LiveView makes of random bytes, by numbers:
  /// `phx-1`.
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
