/// A moment as RFC 3339 writes it, in UTC: `2026-11-21T10:00:00.123Z`.
package enum Timestamp {
  /// - Parameter milliseconds: since 1970.
  package static func text(_ milliseconds: Int64) -> String {
    let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(daysSince1970: Int(days))
    // Every change set has one, so no string is made for each of its parts.
    return String(unsafeUninitializedCapacity: 24) { text in
      var end = 0
      func put(_ number: Int, _ width: Int, _ separator: UInt8) {
        var rest = number
        for place in (end..<end + width).reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        text[end + width] = separator
        end += width + 1
      }
      put(year, 4, UInt8(ascii: "-"))
      put(month, 2, UInt8(ascii: "-"))
      put(day, 2, UInt8(ascii: "T"))
      put(Int(second) / 3_600, 2, UInt8(ascii: ":"))
      put(Int(second) / 60 % 60, 2, UInt8(ascii: ":"))
      put(Int(second) % 60, 2, UInt8(ascii: "."))
      put(Int(fraction), 3, UInt8(ascii: "Z"))
      return end
    }
  }

  /// The civil date of a day (Hinnant, "chrono-compatible low-level date algorithms", 2014): years begin in March, so
  /// that the leap day is their last.
  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
