/// Reads and writes limits.
package enum LimitText {
  /// Permits any value.
  package static let any = "any"

  /// The value of a limit: `200`, `10%` or `0.1`, `200ms`, `1.5s`.
  ///
  /// - Returns: `nil` if the text is not a limit of the rule.
  package static func value(_ text: String, of rule: Rule) -> Double? {
    switch rule.unit {
    case .bytes, .count: whole(text).map(Double.init)
    case .share:
      if let percent = number(text, without: "%") {
        percent <= 100 ? percent / 100 : nil
      } else {
        number(text).flatMap { $0 <= 1 ? $0 : nil }
      }
    case .milliseconds: number(text, without: "ms") ?? number(text, without: "s").map { $0 * 1_000 } ?? number(text)
    }
  }

  /// The shortest form that ``value(_:of:)`` reads as this value.
  static func text(_ value: Double, of rule: Rule) -> String {
    switch rule.unit {
    case .bytes, .count: String(Int(value))
    case .share: "\(plain(value * 100))%"
    case .milliseconds: "\(plain(value))ms"
    }
  }

  /// At most a tenth.
  private static func plain(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
  }

  private static func whole(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  private static func number(_ text: String, without unit: String) -> Double? {
    guard text.hasSuffix(unit) else { return nil }
    let digits = text.dropLast(unit.count)
    return number(String(digits.last == " " ? digits.dropLast() : digits))
  }

  /// A decimal number ≥ 0 without an exponent.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 15, text.utf8.first != 0x2E,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
    else { return nil }
    return Double(text)
  }
}

extension Rule {
  /// What a limit must be.
  package var expectation: String {
    switch unit {
    case .bytes: "must be a whole number of bytes ≥ 0, such as 4096, or “any”"
    case .count: "must be a whole number ≥ 0, such as 5, or “any”"
    case .share: "must be a share from 0% to 100%, such as 10% or 0.1, or “any”"
    case .milliseconds: "must be a time ≥ 0, such as 200ms or 1.5s, or “any”"
    }
  }
}
