internal import ArgumentParser
internal import CLibrary
internal import MirrorSupport

/// Standard output and error, without a buffer. One call writes a whole line, so lines of different
/// tasks do not mix. All types of this program print their messages with it.
enum Console {
  static func line(_ text: String) { StandardStream.write(escaped(text) + "\n", to: STDOUT_FILENO) }

  static func note(_ text: String) { StandardStream.write("liveview-mirror: \(escaped(text))\n", to: STDERR_FILENO) }

  /// Escapes control characters. Otherwise the text of a server could control the terminal.
  private static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.map { isControl($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}
