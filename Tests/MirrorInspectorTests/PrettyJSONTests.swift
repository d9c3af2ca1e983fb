import RecordingFixtures
import Testing

@testable import MirrorInspector

@Suite struct PrettyJSONTests {
  @Test
  func `a value that fits on a line stays on it, and longer values are indented`() {
    let long = String(repeating: "x", count: 60)
    #expect(PrettyJSON(#"{"0":"1","e":[["hi",{"id":1}]]}"#).text == #"{"0": "1", "e": [["hi", {"id": 1}]]}"#)
    #expect(
      PrettyJSON(#"{"0":"\#(long)","1":{"s":["<p>","</p>"],"0":"a, b: {c}"},"k":[]}"#).text == """
        {
          "0": "\(long)",
          "1": {"s": ["<p>", "</p>"], "0": "a, b: {c}"},
          "k": []
        }
        """)
  }

  @Test(arguments: Recording.all.prefix(4))
  func `only white space is added, even to malformed JSON`(recording: Recording) {
    for step in recording.steps {
      let json = String(decoding: step.frame, as: UTF8.self)
      for text in [json, String(json.dropLast(7)), String(json.dropFirst(9)), String(json.reversed())] {
        let pretty = PrettyJSON(text, limit: .max / 4)
        #expect(!pretty.isCut)
        #expect(pretty.text.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
      }
    }
  }

  @Test
  func `the output is cut at the limit for long and for deep input`() {
    for text in [
      String(repeating: "[", count: 200_000), #"{"a":""# + String(repeating: "y", count: 200_000) + #""}"#,
      "[" + String(repeating: "1,", count: 100_000) + "1]", String(repeating: "\\\"", count: 50_000),
    ] {
      let pretty = PrettyJSON(text, limit: 1_000)
      #expect(pretty.isCut)
      #expect(pretty.text.utf8.count < 1_100)
    }
  }
}
