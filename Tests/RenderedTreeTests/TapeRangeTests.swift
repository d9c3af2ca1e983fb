import Foundation
import Testing

@testable import RenderedTree

/// The bytes of a value in a text are those that its index on the tape names.
@Suite struct TapeRangeTests {
  /// All values of a text, with their bytes.
  private func values(of text: String) throws -> [String] {
    // Each decoder owns the buffers of its tape.
    let (decoder, other) = (WireDecoder(), WireDecoder())
    return try Array(text.utf8).withUnsafeBufferPointer { bytes in
      let tape = try decoder.parse(bytes)
      var found: [String] = []
      func visit(_ value: Int) throws {
        let range = tape.range(of: value, in: WireDecoder.Reader.top, at: 0, of: bytes)
        let text = String(decoding: bytes[range], as: UTF8.self)
        found.append(text)
        // The bytes alone are the same value.
        let alone = try Array(text.utf8).withUnsafeBufferPointer { try other.parse($0).json(WireDecoder.Reader.top) }
        #expect(alone == tape.json(value), "\(text)")
        switch tape.kind(value) {
        case .object: for (_, member) in tape.members(value) { try visit(member) }
        case .array: for element in tape.elements(value) { try visit(element) }
        default: break
        }
      }
      try visit(WireDecoder.Reader.top)
      return found
    }
  }

  @Test
  func `every value of a text has exactly its bytes`() throws {
    let text = #" { "a\"}" : [ 1 , -2.5e3,true,null , "x\\" ] , "b":{ } ,"c" : [ ], "\u0064" : {"e":"]\"," } } "#
    #expect(
      try values(of: text) == [
        String(text.dropFirst().dropLast()), #"[ 1 , -2.5e3,true,null , "x\\" ]"#, "1", "-2.5e3", "true", "null",
        #""x\\""#,
        "{ }", "[ ]", #"{"e":"]\"," }"#, #""]\",""#,
      ])
    #expect(try values(of: "[[[]],[{}]]") == ["[[[]],[{}]]", "[[]]", "[]", "[{}]", "{}"])
    #expect(try values(of: #""only""#) == [#""only""#])
  }

  @Test
  func `random texts`() throws {
    var random = SystemRandomNumberGenerator()
    func space() -> String {
      String(repeating: [" ", "\n", "\t", "\r"].randomElement(using: &random) ?? " ", count: .random(in: 0...2))
    }
    func string() -> String {
      let parts = ["a", "é", "😀", "\\\"", "\\\\", "\\u00e9", "{", "}", "[", "]", ",", ":", " ", "12345678"]
      return "\"" + (0..<Int.random(in: 0...6)).map { _ in parts.randomElement() ?? "" }.joined() + "\""
    }
    func value(_ depth: Int) -> String {
      switch Int.random(in: 0...(depth > 4 ? 3 : 6)) {
      case 0: return string()
      case 1: return ["0", "-1", "1.5", "2e3", "18446744073709551615"].randomElement() ?? "0"
      case 2: return ["true", "false", "null"].randomElement() ?? "null"
      case 3: return string()
      case 4, 5:
        return "[" + space()
          + (0..<Int.random(in: 0...4)).map { _ in value(depth + 1) + space() }.joined(separator: "," + space()) + "]"
      default:
        return "{" + space()
          + (0..<Int.random(in: 0...4)).map { _ in string() + space() + ":" + space() + value(depth + 1) + space() }
          .joined(separator: "," + space()) + "}"
      }
    }
    for _ in 0..<500 { _ = try values(of: space() + value(0) + space()) }
  }
}
