/// Compiles a subset of JavaScript regular expressions into a Glushkov automaton, for
/// ``NamePattern``.
///
/// The automaton has one state for each of ``symbols``; a symbol matches a set of characters.
/// `first`, `last` and `following` are bit sets of symbols: the symbols with which a part can begin
/// and end, and those that can follow a symbol. Each method that returns an optional parses one
/// syntactic part, and returns `nil` if that part is not supported.
struct NamePatternParser {
  private(set) var symbols: [NamePattern.Symbol] = []
  private(set) var following: [UInt64] = []
  /// Whether the pattern has alternatives outside of all groups.
  private(set) var hasAlternatives = false
  private var groups = 0
  private var units: ArraySlice<UInt16>

  typealias Part = NamePattern.Part

  init(_ units: ArraySlice<UInt16>) {
    // A longer pattern is refused, so that parsing takes bounded time. Eight code units for each
    // symbol leave room for classes and groups.
    self.units = units.prefix(8 * NamePattern.maximumSymbols)
    isTooLong = units.count > self.units.count
  }

  private let isTooLong: Bool

  /// The whole pattern.
  mutating func pattern() -> Part? {
    guard !isTooLong, let part = alternatives(), units.isEmpty else { return nil }
    return part
  }

  private mutating func alternatives() -> Part? {
    guard var part = sequence() else { return nil }
    while take("|") {
      if groups == 0 { hasAlternatives = true }
      guard let other = sequence() else { return nil }
      part = Part(
        isOptional: part.isOptional || other.isOptional, first: part.first | other.first, last: part.last | other.last)
    }
    return part
  }

  private mutating func sequence() -> Part? {
    var whole = Part()
    while let unit = units.first, unit != UInt16(ascii: "|"), unit != UInt16(ascii: ")") {
      guard let part = repeated() else { return nil }
      connect(whole.last, to: part.first)
      whole = Part(
        isOptional: whole.isOptional && part.isOptional,
        first: whole.isOptional ? whole.first | part.first : whole.first,
        last: part.isOptional ? whole.last | part.last : part.last)
    }
    return whole
  }

  private mutating func repeated() -> Part? {
    guard var part = atom() else { return nil }
    let isStar = take("*")
    let isPlus = !isStar && take("+")
    let isQuestioned = !isStar && !isPlus && take("?")
    if isStar || isPlus { connect(part.last, to: part.first) }
    if isStar || isQuestioned { part.isOptional = true }
    // A lazy repetition matches the same names as a greedy one.
    if isStar || isPlus || isQuestioned { _ = take("?") }
    return isCounted ? nil : part
  }

  /// Whether `{2}`, `{2,}` or `{2,3}` follows. Any other brace is a literal.
  private var isCounted: Bool {
    guard units.first == UInt16(ascii: "{"), let end = units.firstIndex(of: UInt16(ascii: "}")) else { return false }
    let count = units[units.index(after: units.startIndex)..<end]
    let digits = UInt16(ascii: "0")...UInt16(ascii: "9")
    guard let first = count.first, digits.contains(first) else { return false }
    return count.filter { !digits.contains($0) }.allSatisfy { $0 == UInt16(ascii: ",") }
  }

  private mutating func atom() -> Part? {
    guard let unit = units.popFirst() else { return nil }
    switch unit {
    case UInt16(ascii: "("): return group()
    case UInt16(ascii: "["): return set().flatMap { symbol($0) }
    case UInt16(ascii: "."): return symbol(.any)
    case UInt16(ascii: "\\"): return escape().flatMap { symbol($0) }
    // Anchors in the middle of the pattern, and repetitions without an operand.
    case UInt16(ascii: "^"), UInt16(ascii: "$"), UInt16(ascii: "*"), UInt16(ascii: "+"), UInt16(ascii: "?"): return nil
    default: return symbol(.literal(unit))
    }
  }

  private mutating func group() -> Part? {
    if take("?"), !take(":") { return nil }
    groups += 1
    defer { groups -= 1 }
    guard let part = alternatives(), take(")") else { return nil }
    return part
  }

  /// A character class `[…]`, after its opening bracket.
  private mutating func set() -> NamePattern.Symbol? {
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt16>] = []
    while let unit = units.popFirst() {
      if unit == UInt16(ascii: "]") { return .ranges(ranges, isNegated: isNegated) }
      guard let first = member(unit) else { return nil }
      guard units.first == UInt16(ascii: "-"), let next = units.dropFirst().first, next != UInt16(ascii: "]") else {
        ranges += first
        continue
      }
      units = units.dropFirst(2)
      guard let last = member(next), first.count == 1, last.count == 1, first[0].count == 1, last[0].count == 1,
        first[0].lowerBound <= last[0].lowerBound
      else { return nil }
      ranges.append(first[0].lowerBound...last[0].lowerBound)
    }
    return nil
  }

  private mutating func member(_ unit: UInt16) -> [ClosedRange<UInt16>]? {
    guard unit == UInt16(ascii: "\\") else { return [unit...unit] }
    guard case .ranges(let ranges, isNegated: false)? = escape() else { return nil }
    return ranges
  }

  /// An escape sequence, after its backslash.
  private mutating func escape() -> NamePattern.Symbol? {
    guard let unit = units.popFirst(), let scalar = Unicode.Scalar(unit) else { return nil }
    let digits = UInt16(ascii: "0")...UInt16(ascii: "9")
    let letters = [UInt16(ascii: "A")...UInt16(ascii: "Z"), UInt16(ascii: "a")...UInt16(ascii: "z")]
    switch scalar {
    case "d": return .ranges([digits], isNegated: false)
    case "D": return .ranges([digits], isNegated: true)
    case "w": return .ranges(letters + [digits, 0x5F...0x5F], isNegated: false)
    case "W": return .ranges(letters + [digits, 0x5F...0x5F], isNegated: true)
    // References, and escapes of characters that attribute names cannot contain.
    case "0"..."9", "A"..."Z", "a"..."z": return nil
    default: return .literal(unit)
    }
  }

  private mutating func symbol(_ symbol: NamePattern.Symbol) -> Part? {
    guard symbols.count < NamePattern.maximumSymbols else { return nil }
    symbols.append(symbol)
    following.append(0)
    let bit = UInt64(1) << UInt64(symbols.count - 1)
    return Part(isOptional: false, first: bit, last: bit)
  }

  private mutating func connect(_ set: UInt64, to next: UInt64) {
    for symbol in following.indices where set >> UInt64(symbol) & 1 == 1 { following[symbol] |= next }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard units.first == UInt16(ascii: scalar) else { return false }
    units.removeFirst()
    return true
  }
}
