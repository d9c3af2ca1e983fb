import Testing

@testable import MirrorSupport

@Suite struct JSONPositionsTests {
  @Test func `the text of every value is that of the JSON, and white space is between values`() {
    let json = JSONPositions(#" { "a" : [ 1 , "x\"]}" , { } ], "b":{"c":null,"d":-1.5e3},"é":true } "#)
    #expect(json.count == 70)
    let members = json.members(of: json.top)
    #expect(members.map { json.text(of: $0.name) } == [#""a""#, #""b""#, #""é""#])
    #expect(
      members.map { json.text(of: $0.value) } == [#"[ 1 , "x\"]}" , { } ]"#, #"{"c":null,"d":-1.5e3}"#, "true"])
    let elements = json.elements(of: members[0].value)
    #expect(elements.map(json.kind) == [.number, .string, .object])
    #expect(json.string(elements[1]) == #"x"]}"#)
    #expect(json.integer(elements[0]) == 1 && json.integer(elements[1]) == nil)
    #expect(json.isTrue(members[2].value) && !json.isTrue(elements[0]))
    #expect(json.members(of: elements[2]).isEmpty && json.elements(of: elements[2]).isEmpty)
    #expect(json.text(of: json.top, atMost: 3) == "{ \"")
  }

  @Test func `a text that is not JSON has values inside of the text`() {
    for text in ["", " ", "]", "{", "[1,", #"{"a"#, #"{"a":"#, #""\"#, "{]}", "[}1", "1 2", ",", #"{"a":1,"b"}"#] {
      let json = JSONPositions(text)
      var pending = [json.top]
      while let value = pending.popLast() {
        let range = json.range(of: value)
        #expect(range.lowerBound >= 0 && range.upperBound <= text.utf8.count, "\(text)")
        pending += json.elements(of: value) + json.members(of: value).flatMap { [$0.name, $0.value] }
      }
    }
  }

  @Test func `a deep text needs no stack`() {
    let depth = 1_000_000
    let json = JSONPositions(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    var (value, levels) = (json.top, 1)
    while let inner = json.elements(of: value).first { (value, levels) = (inner, levels + 1) }
    #expect(levels == depth)
  }

  @Test func `escapes, surrogate pairs and halves of them are decoded`() {
    func decoded(_ text: String) -> String { JSONSyntax.unescaped(Array(text.utf8)[...]) }
    #expect(decoded(#"a\b\f\n\r\t\/\\\"\u00e9"#) == "a\u{8}\u{C}\n\r\t/\\\"é")
    #expect(decoded(#"\ud83d\ude00"#) == "😀" && decoded(#"\ud83dx"#) == "\u{FFFD}x" && decoded(#"\"#) == "\\")
  }
}
