/// A pattern of `JS.ignore_attributes`, which is a JavaScript regular expression that may match
/// anywhere in an attribute name. Used by ``IgnoredNames``.
///
/// Matching simulates a nondeterministic automaton with one state per symbol (Glushkov's
/// construction) and keeps the active states as bits of one integer. So matching a name takes
/// O(*bytes* × *symbols*), whatever the pattern is. A backtracking engine would take exponential
/// time for a pattern such as `(a*)*b`.
///
/// Supported are literals, `.`, classes, groups, `|`, `*`, `+`, `?`, a `^` at the beginning and a
/// `$` at the end, with at most ``maximumSymbols`` symbols. Counted repetitions, look-around and
/// references are not supported.
struct NamePattern: Sendable {
  /// One bit of a `UInt64` for each symbol.
  static let maximumSymbols = 64

  /// A set of UTF-16 code units.
  enum Symbol: Sendable {
    case ranges([ClosedRange<UInt16>], isNegated: Bool)

    /// Whether the symbol matches a code unit.
    func matches(_ unit: UInt16) -> Bool {
      switch self {
      case .ranges(let ranges, let isNegated): ranges.contains { $0.contains(unit) } != isNegated
      }
    }

    /// A symbol for one code unit.
    static func literal(_ unit: UInt16) -> Symbol { .ranges([unit...unit], isNegated: false) }
    /// Every code unit except line terminators.
    static let any = Symbol.ranges([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)
  }

  /// The automaton of a part of the pattern. Each set of symbols is an integer with one bit per
  /// symbol.
  struct Part {
    /// Whether the part matches the empty string.
    var isOptional = true
    /// The symbols with which a match can begin.
    var first: UInt64 = 0
    /// The symbols with which a match can end.
    var last: UInt64 = 0
  }

  private let symbols: [Symbol]
  /// For each symbol, the symbols that can follow it.
  private let following: [UInt64]
  private let whole: Part
  private let (isAnchored, isAnchoredAtEnd): (Bool, Bool)

  /// - Returns: `nil` if JavaScript rejects the pattern or if it is not supported.
  init?(_ pattern: String) {
    var units = Array(pattern.utf16)[...]
    isAnchored = units.first == UInt16(ascii: "^")
    if isAnchored { units = units.dropFirst() }
    let escapes = units.dropLast().reversed().prefix { $0 == UInt16(ascii: "\\") }.count
    isAnchoredAtEnd = units.last == UInt16(ascii: "$") && escapes % 2 == 0
    if isAnchoredAtEnd { units = units.dropLast() }
    var parser = NamePatternParser(units)
    // An anchor beside a `|` would belong to one alternative only, which is not supported.
    guard let whole = parser.pattern(), !(isAnchored || isAnchoredAtEnd) || !parser.hasAlternatives else { return nil }
    self.whole = whole
    symbols = parser.symbols
    following = parser.following
  }

  /// Whether the pattern matches somewhere in a name.
  ///
  /// - Complexity: O(*bytes* × *symbols*).
  func isFound(in name: String) -> Bool {
    if whole.isOptional, !isAnchoredAtEnd || !isAnchored || name.isEmpty { return true }
    var (states, begins) = (UInt64(0), true)
    for unit in name.utf16 {
      var candidates = begins ? whole.first : 0
      forEach(states) { candidates |= following[$0] }
      states = 0
      forEach(candidates) { symbol in
        if symbols[symbol].matches(unit) { states |= 1 << UInt64(symbol) }
      }
      if !isAnchoredAtEnd, states & whole.last != 0 { return true }
      begins = !isAnchored
    }
    return states & whole.last != 0
  }

  private func forEach(_ set: UInt64, _ body: (Int) -> Void) {
    var rest = set
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

extension UInt16 {
  init(ascii scalar: Unicode.Scalar) { self = UInt16(UInt8(ascii: scalar)) }
}
