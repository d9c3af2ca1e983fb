internal import MirrorSupport

/// The times of an HTTP archive: ISO 8601, such as `2026-11-24T11:00:00.000+01:00`.
enum HARTime {
  /// A time with an offset from UTC, in UTC: `2026-11-24T10:00:00.000Z`.
  ///
  /// - Returns: `nil` if the text has no offset, or is not a time from 1970 to 9998.
  static func utc(_ text: String) -> String? {
    guard
      let match = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([+-])(\d\d):?(\d\d)/.asciiOnlyDigits())
    else { return nil }
    let (_, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute) = match.output
    func number(_ text: Substring) -> Int64 { Int64(text) ?? 0 }
    guard (1970...9998).contains(number(year)), (1...12).contains(number(month)), (1...31).contains(number(day)),
      number(hour) < 24, number(minute) < 60,
      number(second) <= 60
    else { return nil }
    let days = days(to: number(year), number(month), number(day))
    let zone = (number(zoneHour) * 60 + number(zoneMinute)) * (sign == "-" ? -1 : 1)
    let seconds = ((days * 24 + number(hour)) * 60 + number(minute) - zone) * 60 + number(second)
    let milliseconds = number(((fraction ?? "") + "000").prefix(3))
    return Timestamp.text(seconds * 1_000 + milliseconds)
  }

  /// The days from 1970-01-01 to a date of the Gregorian calendar. The year is counted from March, so that a leap day is its last
  /// day.
  private static func days(to year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let years = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - 719_468
  }
}
