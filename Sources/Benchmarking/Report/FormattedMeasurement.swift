/// Writes the numbers of a benchmark for readers: three significant digits, and a unit that keeps
/// the integer part short. The tables of `MirrorBenchmarks` use it.
package enum FormattedMeasurement {
  /// A number of less than 100 has the decimals that make three digits, at most three decimals:
  /// `0.123`, `1.23`, `12.3`, `123`, `1,234`.
  package static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    let decimals =
      switch abs(value) {
      case 0: 0
      case ..<1: 3
      case ..<10: 2
      case ..<100: 1
      default: 0
      }
    return fixed(value, decimals: decimals)
  }

  /// An integer with a comma every three digits.
  package static func count(_ value: Int?) -> String {
    guard let value else { return "–" }
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// A share in whole percent.
  package static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "–" }
    return "\(Int((share * 100).rounded()))%"
  }

  /// Bytes with the unit B, kB (1,000 bytes) or MB (1,000,000 bytes).
  package static func bytes(_ bytes: Double?) -> String {
    guard let bytes else { return "–" }
    if abs(bytes) < 1000 { return "\(number(bytes.rounded())) B" }
    return abs(bytes) < 1_000_000 ? "\(number(bytes / 1000)) kB" : "\(number(bytes / 1_000_000)) MB"
  }

  /// Such as ×1,234 or ×0.95.
  package static func ratio(_ ratio: Double?) -> String { ratio == nil ? "–" : "×\(number(ratio))" }

  package static func fixed(_ value: Double, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (value.magnitude * scale).rounded()
    // Larger values exceed the range of Int.
    guard scaled < 1e15 else { return String(value) }
    let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if decimals == 0 { return sign + count(whole) }
    let fraction = String(rest)
    return sign + count(whole) + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
