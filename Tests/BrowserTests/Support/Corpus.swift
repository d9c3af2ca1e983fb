import Foundation
import RecordingFixtures

/// The payloads of `Tests/Fixtures/xss`.
struct Corpus {
  struct Payload: Sendable, CustomStringConvertible {
    var number: Int
    /// The payload, in which the address of the trap replaces `TRAP`.
    var text: String
    /// Whether it must trigger the trap on a page without escaping.
    var isLoud: Bool
    var description: String { text.debugDescription }

    /// Escaped as LiveView escapes text and attributes.
    var escaped: String {
      var escaped = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "&": escaped += "&amp;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }

    /// As a part of a path or a query.
    var encoded: String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
  }

  let payloads: [Payload]

  init(trap: String) throws {
    var payloads: [Payload] = []
    for file in Fixtures.files(in: Fixtures.folder("xss"), withExtension: "txt") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
        let isLoud = line.hasPrefix("! ")
        let text = Self.unescaped(isLoud ? String(line.dropFirst(2)) : String(line))
        payloads.append(
          Payload(number: payloads.count, text: text.replacing("TRAP", with: trap), isLoud: isLoud))
      }
    }
    self.payloads = payloads
  }

  private static func unescaped(_ line: String) -> String {
    var text = ""
    var rest = line[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.first else {
        text.append(character)
        continue
      }
      rest = rest.dropFirst()
      switch next {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "0": text.append("\0")
      case "u":
        let number = UInt32(rest.prefix(4), radix: 16) ?? 0xFFFD
        rest = rest.dropFirst(4)
        // The two halves of a pair are consecutive.
        if (0xD800..<0xDC00).contains(number), rest.hasPrefix("\\u"),
          let low = UInt32(rest.dropFirst(2).prefix(4), radix: 16)
        {
          rest = rest.dropFirst(6)
          text.unicodeScalars.append(
            Unicode.Scalar(0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}")
        } else {
          text.unicodeScalars.append(Unicode.Scalar(number) ?? "\u{FFFD}")
        }
      default: text.append(next)
      }
    }
    return text
  }
}
