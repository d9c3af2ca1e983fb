import Foundation
import Logging
import Testing

@testable import liveview_mirror

@Suite struct LogLineTests {
  private func line(_ message: String, _ metadata: [(String, String)] = [], time: Int64 = 0) -> LogLine {
    LogLine(time: time, level: .info, message: message, metadata: metadata.map { (name: $0.0, value: $0.1) })
  }

  @Test func `a log line has the time, the level, the message and named values`() {
    let line = line("request", [("method", "GET"), ("path", "/views/a~b"), ("says", "two words"), ("none", "")])
    #expect(
      line.text(as: .text)
        == "1970-01-01T00:00:00.000Z info request method=GET path=/views/a~b says=\"two words\" none=\"\"\n")
    #expect(
      line.text(as: .json) == """
        {"time":"1970-01-01T00:00:00.000Z","level":"info","message":"request","method":"GET","path":"/views/a~b",\
        "says":"two words","none":""}

        """)
  }

  @Test(arguments: [
    "a\nb", "a\r\nb", "\u{1B}[31mred", "a\u{0}b", "tab\tbed", "\u{7F}", "\u{85}", "\u{9B}31m", "\u{2028}",
    "\u{202E}evil",
    "quote\" x=1", "back\\slash", "a=b", "\u{FFFD}", "e\u{301}\u{1F600}",
  ]) func `any value stays on one line and is unchanged in JSON`(value: String) throws {
    for format in LogLine.Format.allCases {
      let text = line(value, [("value", value)]).text(as: format)
      #expect(text.dropLast().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      #expect(!text.unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{202E}" })
      #expect(text.hasSuffix("\n"))
    }
    let json = line(value, [("value", value)]).text(as: .json)
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
    #expect(object?["value"] == value)
    #expect(object?["message"] == value)
  }

  @Test func `a value cannot imitate another key`() {
    #expect(line("request", [("path", "/a status=200")]).text(as: .text).hasSuffix(" path=\"/a status=200\"\n"))
    #expect(
      line("request", [("path", "/a\" status=\"200")]).text(as: .text).hasSuffix(#" path="/a\" status=\"200""# + "\n"))
  }

  @Test func `a long value is cut`() {
    let text = line("m", [("path", String(repeating: "a", count: 10_000))]).text(as: .text)
    #expect(text.utf8.count < LogLine.longestValue + 100)
    #expect(text.hasSuffix("a…\"\n"))
    let escapes = line("m", [("path", String(repeating: "\u{1}", count: 10_000))]).text(as: .json)
    #expect(escapes.utf8.count < LogLine.longestValue + 150)
  }
}
