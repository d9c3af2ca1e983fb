/// Escapes text of a LiveView for a terminal, so that the text cannot move the cursor. The texts of
/// updates and the commands of `liveview-mirror` use it.
package enum Terminal {
  private static let longest = 60

  /// The text on one line, in quotes, shortened to 60 characters.
  package static func quoted(_ text: String) -> String {
    let isLong = text.count > longest
    return "\"\(line(String(text.prefix(isLong ? longest - 1 : longest))))\(isLong ? "…" : "")\""
  }

  /// The text on one line. Control characters, and characters that change the direction of writing,
  /// are escaped.
  package static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": line += "\\n"
      case "\t": line += "\\t"
      case "\r": line += "\\r"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
          line += "\\u{\(String(scalar.value, radix: 16))}"
        default: line.unicodeScalars.append(scalar)
        }
      }
    }
    return line
  }
}
