internal import MirrorSupport

/// Reads and writes limits. ``BudgetReader``, ``BudgetWriter`` and the flags of `check` and
/// `compare` use it.
package enum LimitText {
  /// The text of a limit that permits any value.
  package static let any = "any"

  /// The value of a limit: `4096` or `4KB`, `10%` or `0.1`, `200ms` or `1.5s`.
  ///
  /// - Returns: `nil` if the text is not a limit of the rule.
  package static func value(_ text: String, of rule: BudgetRule) -> Double? {
    switch rule.unit {
    case .bytes: Quantity.bytes(text).map(Double.init)
    case .count: text.utf8.allSatisfy(\.isASCIIDigit) ? Quantity.bytes(text).map(Double.init) : nil
    case .share: share(text)
    case .milliseconds: Quantity.time(text).map { $0 / .milliseconds(1) }
    }
  }

  /// A share from 0 to `limit`: `10%` or `0.1`. The `limit` is above 1 only for an increase in
  /// `compare`, which may be more than 100%.
  package static func share(_ text: String, atMost limit: Double = 1) -> Double? {
    let isPercent = text.last == "%"
    var digits = isPercent ? text.dropLast() : text[...]
    if isPercent, digits.last == " " { digits.removeLast() }
    guard digits.utf8.count <= 15, digits.utf8.first?.isASCIIDigit == true,
      digits.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let number = Double(digits)
    else { return nil }
    let share = isPercent ? number / 100 : number
    // Without `%`, a share above 1 is refused: `10` probably means 10 % and not 1,000 %.
    return share <= (isPercent ? limit : min(1, limit)) ? share : nil
  }

  /// The text of a limit, as a budget's file states it.
  package static func text(_ limit: Budget.Limit, of rule: BudgetRule) -> String {
    limit.value.map { text($0, of: rule) } ?? any
  }

  /// The shortest form that ``value(_:of:)`` reads as this value.
  static func text(_ value: Double, of rule: BudgetRule) -> String {
    switch rule.unit {
    case .bytes, .count: String(Int(value))
    case .share: "\(CheckJSON.number(value * 100))%"
    case .milliseconds: Quantity.text(of: .milliseconds(value))
    }
  }
}

extension BudgetRule {
  /// What a limit must be.
  package var expectation: String {
    switch unit {
    case .bytes: "must be a number of bytes ≥ 0, such as 4096, 4KB or 4KiB, or “any”"
    case .count: "must be a whole number ≥ 0, such as 5, or “any”"
    case .share: "must be a share from 0% to 100%, such as 10% or 0.1, or “any”"
    case .milliseconds: "must be a time with a unit, such as 200ms or 1.5s, or “any”"
    }
  }
}
