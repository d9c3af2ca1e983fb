/// A pattern of `JS.ignore_attributes`: a JavaScript regular expression, looked for anywhere in a name.
///
/// It is matched as a nondeterministic automaton with one state for each symbol (Glushkov's construction), all states at
/// once in one number. So a name takes O(*bytes* × *symbols*), whatever the pattern: an engine that backtracks takes time
/// that is exponential in the name for `(a*)*b`.
///
/// Literals, `.`, classes, groups, `|`, `*`, `+`, `?`, a `^` at the beginning and a `$` at the end are supported, with
/// ``maximumSymbols`` symbols. Without support are counted repetitions, look-around and references.
struct NamePattern: Sendable {
  static let maximumSymbols = 64

  enum Symbol: Sendable {
    case ranges([ClosedRange<UInt16>], isNegated: Bool)

    func matches(_ unit: UInt16) -> Bool {
      switch self {
      case .ranges(let ranges, let isNegated): ranges.contains { $0.contains(unit) } != isNegated
      }
    }

    static func literal(_ unit: UInt16) -> Symbol { .ranges([unit...unit], isNegated: false) }
    /// Everything but the ends of lines.
    static let any = Symbol.ranges([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)
  }

  /// A part of the pattern: sets of symbols as bits.
  struct Part {
    var isOptional = true
    var first: UInt64 = 0
    var last: UInt64 = 0
  }

  private let symbols: [Symbol]
  /// For every symbol, those that may come next.
  private let following: [UInt64]
  private let whole: Part
  private let (isAnchored, isAnchoredAtEnd): (Bool, Bool)

  /// - Returns: `nil` for a pattern that JavaScript does not accept, and for one that is not supported.
  init?(_ pattern: String) {
    var units = Array(pattern.utf16)[...]
    isAnchored = units.first == UInt16(ascii: "^")
    if isAnchored { units = units.dropFirst() }
    let escapes = units.dropLast().reversed().prefix { $0 == UInt16(ascii: "\\") }.count
    isAnchoredAtEnd = units.last == UInt16(ascii: "$") && escapes % 2 == 0
    if isAnchoredAtEnd { units = units.dropLast() }
    var parser = NamePatternParser(units)
    // An anchor belongs to one alternative alone.
    guard let whole = parser.pattern(), !(isAnchored || isAnchoredAtEnd) || !parser.hasAlternatives else { return nil }
    self.whole = whole
    symbols = parser.symbols
    following = parser.following
  }

  /// Whether the pattern is found in a name.
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
