internal import Logging
internal import MirrorSupport

/// One event of the log as one line. Messages and values are escaped, so they cannot begin a line
/// or an escape sequence of a terminal.
///
/// ``LineLogHandler`` makes one for each event.
struct LogLine {
  enum Format: String, Sendable, CaseIterable {
    /// `2026-11-21T10:00:00.123Z debug request method=GET path=/healthz`, in which a value with
    /// spaces or special characters is quoted as in JSON.
    case text
    /// One JSON object per line: `time`, `level`, `message`, and the metadata by name.
    case json
  }

  /// Milliseconds since 1970.
  var time: Int64
  var level: Logger.Level
  var message: String
  /// In the order in which they are written.
  var metadata: [(name: String, value: String)]

  /// The limit of a message or a value in escaped bytes; the rest is cut. A line has few values, so
  /// lines usually stay below the limit at which ``LogSink`` cuts them.
  static let longestValue = 512

  /// The line with its end.
  func text(as format: Format) -> String {
    switch format {
    case .text:
      let values = metadata.map { " \($0.name)=\(Self.isPlain($0.value) ? $0.value : Self.quoted($0.value))" }.joined()
      return "\(Timestamp.text(time)) \(level.rawValue) \(Self.escaped(message))\(values)\n"
    case .json:
      let fields = [("time", Timestamp.text(time)), ("level", level.rawValue), ("message", message)] + metadata
      return "{\(fields.map { "\(Self.quoted($0.0)):\(Self.quoted($0.1))" }.joined(separator: ","))}\n"
    }
  }

  // MARK: - Escaping

  /// Whether a value needs no quotes: it is neither empty nor too long, and consists of printable
  /// ASCII without spaces, double quotes, equals signs and backslashes.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestValue
      && text.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
          && $0 != UInt8(ascii: "\\")
      }
  }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text, isQuoted: true) + "\"" }

  /// Escapes as JSON does, and also what could deceive a terminal or a reader: C1 controls, Unicode
  /// line ends, and marks that change the direction of writing.
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
