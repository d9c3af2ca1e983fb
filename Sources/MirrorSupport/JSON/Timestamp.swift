/// Times in the format of RFC 3339, in UTC and with milliseconds: `2026-11-21T10:00:00.123Z`. Only
/// years from 1 to 9999 are supported. JSON, pages and logs have times in this format.
public enum Timestamp {
  /// The number of bytes of a timestamp.
  @usableFromInline static var length: Int { 24 }

  /// The timestamp of a time.
  ///
  /// - Parameter milliseconds: the time in milliseconds since 1970.
  public static func text(_ milliseconds: Int64) -> String {
    String(unsafeUninitializedCapacity: length) { text in
      write(milliseconds, to: text)
      return length
    }
  }

  /// Writes ``length`` bytes. Change sets use it instead of ``text(_:)``, which would allocate a
  /// string for the timestamp of each change set.
  @usableFromInline static func write(_ milliseconds: Int64, to text: UnsafeMutableBufferPointer<UInt8>) {
    // Rounded down, for times before 1970.
    let fraction = (milliseconds % 1_000 + 1_000) % 1_000
    let seconds = (milliseconds - fraction) / 1_000
    let second = (seconds % 86_400 + 86_400) % 86_400
    let days = (seconds - second) / 86_400
    let (year, month, day) = date(daysSince1970: Int(days))
    let minute = second / 60
    func put(_ number: some BinaryInteger, at place: Int) {
      let number = UInt32(truncatingIfNeeded: number)
      text[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
      text[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
    }
    put(year / 100, at: 0)
    put(year % 100, at: 2)
    text[4] = UInt8(ascii: "-")
    put(month, at: 5)
    text[7] = UInt8(ascii: "-")
    put(day, at: 8)
    text[10] = UInt8(ascii: "T")
    put(minute / 60, at: 11)
    text[13] = UInt8(ascii: ":")
    put(minute % 60, at: 14)
    text[16] = UInt8(ascii: ":")
    put(second % 60, at: 17)
    text[19] = UInt8(ascii: ".")
    put(fraction / 10, at: 20)
    text[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10)
    text[23] = UInt8(ascii: "Z")
  }

  /// The civil date of a day (Hinnant, "chrono-compatible low-level date algorithms", 2014). Years
  /// begin in March here, so that the leap day is the last day of a year.
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
