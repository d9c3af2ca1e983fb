/// The subset of CSS selectors that portals and `JS` commands use: compounds of tag, `#id`, `.class`, `[name]` and
/// `[name=value]`, with descendant and child combinators, in comma-separated lists.
struct Selector {
  fileprivate struct Compound {
    var tag: String?
    var id: String?
    var classes: [String] = []
    var attributes: [(name: String, value: String?)] = []
    /// Whether the preceding compound must match the parent; otherwise any ancestor.
    var isChild = false
  }

  private var lists: [[Compound]] = []

  /// - Returns: `nil` if the selector uses any other syntax.
  init?(_ text: String) {
    var reader = Reader(text)
    while true {
      var compounds: [Compound] = []
      var isChild = false
      reader.skipBlanks()
      while let compound = reader.compound(isChild: isChild) {
        compounds.append(compound)
        isChild = false
        reader.skipBlanks()
        if reader.take(">") {
          isChild = true
          reader.skipBlanks()
        }
      }
      guard !compounds.isEmpty, !isChild else { return nil }
      lists.append(compounds)
      if reader.isAtEnd { return }
      guard reader.take(",") else { return nil }
    }
  }

  /// Whether a node matches one of the selectors. Ancestors up to `root`, which is excluded, are considered.
  func matches(_ node: PatchTree.Index, in tree: PatchTree, below root: PatchTree.Index) -> Bool {
    lists.contains { Self.matches(node, $0[...], in: tree, below: root) }
  }

  private static func matches(
    _ node: PatchTree.Index, _ compounds: ArraySlice<Compound>, in tree: PatchTree, below root: PatchTree.Index
  ) -> Bool {
    guard let last = compounds.last, let element = tree.element(node), last.matches(element) else { return false }
    let rest = compounds.dropLast()
    if rest.isEmpty { return true }
    var above = tree.parent(node)
    while let step = above, step != root {
      if matches(step, rest, in: tree, below: root) { return true }
      if last.isChild { return false }
      above = tree.parent(step)
    }
    return false
  }

  /// Parses a selector from its beginning.
  private struct Reader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

    mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func name() -> String? {
      var name = ""
      while let character = rest.first {
        if character == "\\", rest.count > 1 {
          rest.removeFirst()
          name.append(rest.removeFirst())
        } else if character.isLetter || character.isNumber || character == "-" || character == "_" {
          name.append(rest.removeFirst())
        } else {
          break
        }
      }
      return name.isEmpty ? nil : name
    }

    mutating func compound(isChild: Bool) -> Compound? {
      var compound = Compound(isChild: isChild)
      var isEmpty = true
      if take("*") {
        isEmpty = false
      } else if let tag = name() {
        compound.tag = tag.lowercased()
        isEmpty = false
      }
      while let mark = rest.first, mark == "#" || mark == "." || mark == "[" {
        rest.removeFirst()
        guard let name = name() else { return nil }
        switch mark {
        case "#": compound.id = name
        case ".": compound.classes.append(name)
        default:
          var value: String?
          if take("=") {
            guard let text = self.value() else { return nil }
            value = text
          }
          guard take("]") else { return nil }
          compound.attributes.append((name, value))
        }
        isEmpty = false
      }
      return isEmpty ? nil : compound
    }

    private mutating func value() -> String? {
      guard let quote = rest.first, quote == "\"" || quote == "'" else { return name() }
      rest.removeFirst()
      guard let end = rest.firstIndex(of: quote) else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return String(rest[..<end])
    }
  }
}

extension Selector.Compound {
  fileprivate func matches(_ element: Element) -> Bool {
    if let tag, element.tag.lowercased() != tag { return false }
    if let id, element.id != id { return false }
    if !classes.isEmpty {
      let present = Set((element["class"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init))
      guard classes.allSatisfy(present.contains) else { return false }
    }
    return attributes.allSatisfy { name, value in
      guard let found = element[name] else { return false }
      return value == nil || value == found
    }
  }
}
