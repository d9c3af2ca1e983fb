internal import Logging

/// One event of the log as one line: whatever stands in a message or a value, it ends no line and starts no escape
/// sequence of a terminal.
struct LogLine {
  enum Format: String, Sendable, CaseIterable {
    /// `2026-11-21T10:00:00.123Z debug request method=GET path=/healthz`, with JSON's quotes where a value needs some.
    case text
    /// An object a line: `time`, `level`, `message`, and the metadata by name.
    case json
  }

  /// Milliseconds since 1970.
  var time: Int64
  var level: Logger.Level
  var message: String
  /// In the order in which they are written.
  var metadata: [(name: String, value: String)]

  /// A message or a value is cut after so many bytes, as they are written: the longest line is one that a pipe takes whole.
  static let longestValue = 512

  /// The line with its end.
  func text(as format: Format) -> String {
    switch format {
    case .text:
      let values = metadata.map { " \($0.name)=\(Self.isPlain($0.value) ? $0.value : Self.quoted($0.value))" }.joined()
      return "\(timestamp) \(level.rawValue) \(Self.escaped(message))\(values)\n"
    case .json:
      let fields = [("time", timestamp), ("level", level.rawValue), ("message", message)] + metadata
      return "{\(fields.map { "\(Self.quoted($0.0)):\(Self.quoted($0.1))" }.joined(separator: ","))}\n"
    }
  }

  /// RFC 3339, UTC, to the millisecond.
  var timestamp: String {
    // Days are counted from 1 March of the year 0, so that the leap day is the last one of a year.
    let (days, milliseconds) = time.flooredDivision(by: 86_400_000)
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    func padded(_ number: Int64, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9))-\(padded(day))"
    let clock = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1_000 % 60].map { padded($0) }
    return "\(date)T\(clock.joined(separator: ":")).\(padded(milliseconds % 1_000, 3))Z"
  }

  // MARK: - Escaping

  /// Whether a value can stand without quotes: letters, digits, and what paths are made of.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestValue
      && text.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
          && $0 != UInt8(ascii: "\\")
      }
  }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text, isQuoted: true) + "\"" }

  /// As JSON escapes, and besides all that a terminal or a reader could take for something else: C1 controls, other line
  /// ends, and marks that turn the direction of writing.
  private static func escaped(_ text: String, isQuoted: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let written = escape(scalar, isQuoted: isQuoted)
      guard result.utf8.count + written.utf8.count <= longestValue else { return result + "…" }
      result += written
    }
    return result
  }

  private static func escape(_ scalar: Unicode.Scalar, isQuoted: Bool) -> String {
    switch scalar {
    case "\"" where isQuoted: return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      if isHarmless(scalar) { return String(scalar) }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
