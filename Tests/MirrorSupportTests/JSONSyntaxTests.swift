import Testing

@testable import MirrorSupport

@Suite struct JSONSyntaxTests {
  /// The reference implementation, byte by byte.
  private func quoted(_ text: String) -> String {
    var result = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": result += "\\\(character)"
      case "\u{8}": result += "\\b"
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\u{C}": result += "\\f"
      case "\r": result += "\\r"
      case ..<" ":
        let digits = String(character.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(character)
      }
    }
    return result + "\""
  }

  @Test
  func `exactly the characters that need escaping are escaped at every position`() {
    for value in UInt32(0)..<0x180 {
      guard let character = Unicode.Scalar(value) else { continue }
      for before in 0..<17 {
        for after in [0, 1, 7, 8, 9] {
          let text = String(repeating: "a", count: before) + String(character) + String(repeating: "z", count: after)
          #expect(JSONSyntax.quoted(text) == quoted(text))
        }
      }
    }
    for text in ["", "\"\"\"\"\"\"\"\"\"", "\u{1F}\u{20}\u{21}\"#[\\]", String(repeating: "é\\", count: 9)] {
      #expect(JSONSyntax.quoted(text) == quoted(text))
    }
  }

  @Test
  func `numbers are written with their usual digits`() {
    var numbers = [0, .min, .max, .min + 1]
    var power = 1
    for _ in 0..<19 {
      numbers += [power - 1, power, power + 1, -power + 1, -power, -power - 1]
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    for number in numbers {
      var output: [UInt8] = []
      JSONSyntax.append(number, to: &output)
      #expect(String(decoding: output, as: UTF8.self) == "\(number)")
    }
  }
}
