import MirrorSupport
import Testing

@Suite struct JSONWriterTests {
  @Test
  func `members and elements are separated by commas, also around empty containers`() {
    var json = JSONWriter()
    json.object { json in
      json.object("empty") { _ in }
      json.array("none", [Int]()) { json, number in json.value(number) }
      json.array("numbers", [0, -12, .min, .max]) { json, number in json.value(number) }
      json.array("mixed", [true, false]) { json, isNull in
        if isNull { json.null() } else { json.object { $0.member("in", "\"a\"\n") } }
      }
      json.member("text", "é,")
      json.member("absent", nil as String?)
      json.member("present", "x" as String?)
      json.member("number", 10 as Int?)
      json.member("bool", true)
      json.member("word", word: "said")
      json.member("at", at: 951_782_400_007)
      json.member("json", json: "[1, 2]")
      json.member(named: "\\", nil)
      json.member(named: "named", "value")
      json.null("last")
    }
    let expected =
      #"{"empty":{},"none":[],"numbers":[0,-12,-9223372036854775808,9223372036854775807],"#
      + #""mixed":[null,{"in":"\"a\"\n"}],"text":"é,","absent":null,"present":"x","number":10,"bool":true,"#
      + #""word":"said","at":"2000-02-29T00:00:00.007Z","json":[1, 2],"\\":null,"named":"value","last":null}"#
    #expect(json.text == expected)
    #expect(String(decoding: json.bytes, as: UTF8.self) == expected + "\n")
    #expect(JSONWriter().bytes == [UInt8(ascii: "\n")] && JSONWriter().text == "")
  }

  @Test(arguments: [980, 990, 1_000, 5_000])
  func `a long string is written after any other value`(length: Int) {
    let (plain, escaped) = (String(repeating: "x", count: length), String(repeating: "\u{1}", count: length))
    for text in [plain, escaped] {
      var json = JSONWriter()
      json.object { json in
        json.member("first", text)
        json.array("all", 0..<length) { json, number in json.value(number) }
        json.member("json", json: plain.isEmpty ? nil : "\"\(plain)\"")
        json.member(named: text, text)
      }
      let quoted = JSONSyntax.quoted(text)
      let numbers = (0..<length).map(String.init).joined(separator: ",")
      #expect(
        json.text == "{\"first\":\(quoted),\"all\":[\(numbers)],\"json\":\"\(plain)\",\(quoted):\(quoted)}")
    }
  }
}
