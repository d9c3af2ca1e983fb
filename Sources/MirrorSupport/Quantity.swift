/// Sizes and times with their units, as flags, variables, budgets and scenarios write them:
/// `16MiB`, `4KB`, `500ms`, `1.5s`.
///
/// Upper and lower case are equal, and spaces may be between the number and its unit.
package enum Quantity {
  private static let sizes: [(name: String, factor: Double)] = [
    ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("b", 1), ("", 1),
  ]

  /// In milliseconds, the longest first, so that ``text(of:)`` uses the longest unit that fits.
  private static let times: [(name: String, factor: Double)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// The end of an error message about a text that is not a time.
  package static let timeExpectation = "must be a time with a unit, such as 500ms, 30s, 15m, 2h or 1d"

  /// A whole number of bytes, alone or with B, KB, MB, GB, KiB, MiB or GiB; `nil` if the text is
  /// not a size. The number is less than 2^53, so that a `Double` holds it exactly.
  package static func bytes(_ text: String) -> Int? {
    guard let bytes = value(text, units: sizes), bytes < 0x1p53, bytes == bytes.rounded() else { return nil }
    return Int(bytes)
  }

  /// A time with one of the units ms, s, m, h and d, of at most ten years, so that no sum of times
  /// overflows.
  ///
  /// - Returns: `nil` if the text is not such a time.
  package static func time(_ text: String) -> Duration? {
    guard let milliseconds = value(text, units: times), milliseconds <= 3_650 * 86_400_000 else { return nil }
    return .microseconds(Int64((milliseconds * 1_000).rounded()))
  }

  private static func value(_ text: String, units: [(name: String, factor: Double)]) -> Double? {
    let digits = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
    let unit = text[digits.endIndex...].drop { $0 == " " }.lowercased()
    guard digits.utf8.count <= 19, digits.first?.isNumber == true, digits.last?.isNumber == true,
      let number = Double(digits), let factor = units.first(where: { $0.name == unit })?.factor
    else { return nil }
    return number * factor
  }

  /// A text that ``bytes(_:)`` reads as this number. Its unit is the largest of GiB, MiB, KiB and B
  /// in which the number is whole.
  package static func text(ofBytes bytes: Int) -> String {
    for (name, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes != 0 && bytes % (1 << shift) == 0 {
      return "\(bytes >> shift)\(name)"
    }
    return "\(bytes)B"
  }

  /// A text that ``time(_:)`` reads as this time, to a microsecond.
  package static func text(of time: Duration) -> String {
    let microseconds = (time / .microseconds(1)).rounded()
    for (name, factor) in times where microseconds >= factor * 1_000 {
      if microseconds.remainder(dividingBy: factor * 1_000) == 0 {
        return "\(Int(microseconds / factor / 1_000))\(name)"
      }
    }
    return microseconds == 0 ? "0ms" : "\(microseconds / 1_000)ms"
  }
}
