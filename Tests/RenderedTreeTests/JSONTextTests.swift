import Testing

@testable import RenderedTree

@Suite struct JSONTextTests {
  /// A byte at a time.
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

  @Test("every character is escaped where it must be and nowhere else, wherever it stands")
  func quoting() {
    for value in UInt32(0)..<0x180 {
      guard let character = Unicode.Scalar(value) else { continue }
      for before in 0..<17 {
        for after in [0, 1, 7, 8, 9] {
          let text = String(repeating: "a", count: before) + String(character) + String(repeating: "z", count: after)
          #expect(JSONText(quoting: text).text == quoted(text))
        }
      }
    }
    for text in ["", "\"\"\"\"\"\"\"\"\"", "\u{1F}\u{20}\u{21}\"#[\\]", String(repeating: "é\\", count: 9)] {
      #expect(JSONText(quoting: text).text == quoted(text))
    }
  }

  @Test("a number has the digits that it has anywhere")
  func numbers() {
    var numbers = [0, .min, .max, .min + 1]
    var power = 1
    for _ in 0..<19 {
      numbers += [power - 1, power, power + 1, -power + 1, -power, -power - 1]
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    for number in numbers {
      var output: [UInt8] = []
      JSONText.append(number, to: &output)
      #expect(String(decoding: output, as: UTF8.self) == "\(number)")
    }
  }
}
