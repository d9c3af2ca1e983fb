/// Writes numbers for readers: in the texts of reports, pages and errors.
package enum Formatted {
  /// `12,345`, without a fraction.
  package static func grouped(_ value: Double) -> String {
    guard value.magnitude < 1e15 else { return "\(value)" }
    return grouped(Int(value.rounded()))
  }

  /// `12,345`.
  package static func grouped(_ value: Int) -> String {
    var text = String(value.magnitude)
    var place = text.count - 3
    while place > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: place))
      place -= 3
    }
    return value < 0 ? "−\(text)" : text
  }

  /// `12`, or with a tenth `12.3`.
  package static func tenths(_ value: Double) -> String {
    guard value.magnitude < 1e14 else { return "\(value)" }
    let tenths = Int((value * 10).rounded())
    let whole = grouped(tenths / 10)
    let sign = tenths < 0 && tenths > -10 ? "−" : ""
    return tenths % 10 == 0 ? whole : "\(sign)\(whole).\((tenths % 10).magnitude)"
  }

  /// `12.5 %` for 0.125.
  package static func percent(_ share: Double) -> String { "\(tenths(share * 100)) %" }

  /// `13 %` for 0.125, `under 1 %` for 0.001.
  package static func wholePercent(_ share: Double) -> String {
    share > 0 && share < 0.005 ? "under 1 %" : "\(grouped(share * 100)) %"
  }

  /// `1 diff`, `1,200 diffs`, `3 entries`, `2 matches`.
  package static func count(_ number: Int, _ noun: String) -> String {
    if number == 1 { return "1 \(noun)" }
    let isRegular = !noun.hasSuffix("y") || ["ay", "ey", "oy"].contains { noun.hasSuffix($0) }
    let plural = noun.hasSuffix("ch") ? "\(noun)es" : isRegular ? "\(noun)s" : "\(noun.dropLast())ies"
    return "\(grouped(number)) \(plural)"
  }

  /// `2,857 B`.
  package static func bytes(_ number: Int) -> String { "\(grouped(number)) B" }

  /// `124 B`, `12.4 kB`, `1.2 MB`.
  package static func size(_ number: Int) -> String {
    switch number {
    case ..<1_000: "\(number) B"
    case ..<1_000_000: "\(number / 1_000).\(number / 100 % 10) kB"
    default: "\(grouped(number / 1_000_000)).\(number / 100_000 % 10) MB"
    }
  }

  /// `606,801 µs`.
  package static func microseconds(_ number: Int) -> String { "\(grouped(number)) µs" }

  /// `500 ms`, `7.5 s`, `90 s`.
  package static func time(_ duration: Duration) -> String {
    duration < .seconds(1) ? "\(tenths(duration / .milliseconds(1))) ms" : "\(tenths(duration / .seconds(1))) s"
  }
}
