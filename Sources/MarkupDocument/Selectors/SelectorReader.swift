/// Parses the text of a ``Selector`` from its beginning. ``Selector/init(_:)`` calls it, and limits
/// the length of the text, because the reader recurses for `:not`.
struct SelectorReader {
  private var rest: Substring

  /// - Returns: the list, and the text that was not read. The list is `nil` if the text is not a
  ///   selector or uses syntax that is not supported.
  static func read(_ text: String) -> (list: [Selector.Complex]?, rest: Substring) {
    var reader = SelectorReader(rest: text[...])
    var list: [Selector.Complex] = []
    repeat {
      guard let complex = reader.complex() else { return (nil, reader.rest) }
      list.append(complex)
    } while reader.take(",")
    return (reader.rest.isEmpty ? list.unique : nil, reader.rest)
  }

  private mutating func complex() -> Selector.Complex? {
    var compounds: Selector.Complex = []
    skipBlanks()
    guard let first = compound() else { return nil }
    compounds.append(first)
    while true {
      skipBlanks()
      let combinator = combinator()
      skipBlanks()
      guard var next = compound() else { return combinator == nil ? compounds : nil }
      next.combinator = combinator ?? .descendant
      compounds.append(next)
    }
  }

  private mutating func combinator() -> Selector.Combinator? {
    if take(">") { return .child }
    if take("+") { return .next }
    if take("~") { return .later }
    return nil
  }

  private mutating func compound() -> Selector.Compound? {
    var tests: [Selector.Test] = []
    if take("*") { tests.append(.any) } else if let tag = name() { tests.append(.tag(tag.lowercased())) }
    while let mark = rest.first, "#.[:".contains(mark) {
      rest.removeFirst()
      guard let test = test(after: mark) else { return nil }
      tests.append(test)
    }
    return tests.isEmpty ? nil : Selector.Compound(tests: tests.unique)
  }

  private mutating func test(after mark: Character) -> Selector.Test? {
    guard let name = name() else { return nil }
    switch mark {
    case "#": return .attribute(name: "id", .equal(name))
    case ".": return .attribute(name: "class", .word(name))
    case "[": return attribute(name)
    default: return pseudo(name)
    }
  }

  private mutating func attribute(_ name: String) -> Selector.Test? {
    skipBlanks()
    if take("]") { return .attribute(name: name, .present) }
    let operation = rest.first.flatMap { "^$*~|".contains($0) ? $0 : nil }
    if operation != nil { rest.removeFirst() }
    guard take("=") else { return nil }
    skipBlanks()
    guard let value = value() else { return nil }
    skipBlanks()
    guard take("]") else { return nil }
    let test: Selector.AttributeTest =
      switch operation {
      case "^": .prefix(value)
      case "$": .suffix(value)
      case "*": .contains(value)
      case "~": .word(value)
      case "|": .language(value)
      default: .equal(value)
      }
    return .attribute(name: name, test)
  }

  private mutating func pseudo(_ name: String) -> Selector.Test? {
    let name = name.lowercased()
    if name == "nth-child" { return nthChild() }
    guard name == "not" else { return Selector.PseudoClass(rawValue: name).map { .pseudo($0) } }
    guard take("(") else { return nil }
    var compounds: [Selector.Compound] = []
    repeat {
      skipBlanks()
      guard let compound = compound() else { return nil }
      compounds.append(compound)
      skipBlanks()
    } while take(",")
    return take(")") ? .not(compounds.unique) : nil
  }

  /// Reads the argument of `:nth-child`: `(2)`, `(odd)`, `(even)`, `(3n+1)`.
  private mutating func nthChild() -> Selector.Test? {
    guard take("("), let end = rest.firstIndex(of: ")") else { return nil }
    let formula = rest[..<end].lowercased().filter { !$0.isWhitespace }
    rest = rest[rest.index(after: end)...]
    if formula == "odd" { return .nthChild(step: 2, offset: 1) }
    if formula == "even" { return .nthChild(step: 2, offset: 0) }
    guard let sign = formula.firstIndex(of: "n") else { return Int(formula).map { .nthChild(step: 0, offset: $0) } }
    let (step, offset) = (formula[..<sign], formula[formula.index(after: sign)...])
    let number = step.isEmpty || step == "+" ? 1 : step == "-" ? -1 : Int(step)
    guard let number, let addend = offset.isEmpty ? 0 : Int(offset) else { return nil }
    return .nthChild(step: number, offset: addend)
  }

  // MARK: - Words

  private mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// An identifier (CSS Syntax 3, 4.3.11).
  private mutating func name() -> String? {
    var name = ""
    while let character = rest.first {
      if character == "\\", let escaped = escaped() {
        name.append(escaped)
      } else if character.isLetter || character.isNumber || character == "-" || character == "_" {
        name.append(rest.removeFirst())
      } else {
        break
      }
    }
    return name.isEmpty ? nil : name
  }

  /// The character of an escape: a backslash, and up to six hexadecimal digits with an optional
  /// blank behind them, or any other character except a new line (CSS Syntax 3, 4.3.7).
  private mutating func escaped() -> Character? {
    guard let next = rest.dropFirst().first, !next.isNewline else { return nil }
    rest.removeFirst()
    let digits = rest.prefix(6).prefix { $0.isASCII && $0.isHexDigit }
    guard !digits.isEmpty else { return rest.removeFirst() }
    rest = rest[digits.endIndex...]
    if rest.first?.isWhitespace == true { rest.removeFirst() }
    let scalar = UInt32(digits, radix: 16).flatMap { $0 == 0 ? nil : UnicodeScalar($0) }
    return Character(scalar ?? "\u{FFFD}")
  }

  private mutating func value() -> String? {
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return name() }
    rest.removeFirst()
    var value = ""
    while let character = rest.first {
      if character == "\\", let escaped = escaped() {
        value.append(escaped)
      } else {
        rest.removeFirst()
        if character == quote { return value }
        value.append(character)
      }
    }
    return nil
  }
}

extension Array where Element: Hashable {
  /// The elements without those that equal an earlier one: each test of a selector runs once.
  fileprivate var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
