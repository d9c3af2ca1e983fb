import RenderedTree
import Testing

/// What is JSON and is not read, and where the decoder stops.
@Suite struct WireDecoderLimitTests {
  private func fault(_ text: String, _ form: WireDecoder.Form) -> String? {
    do throws(WireError) {
      for result in try WireDecoder().decode(Array(text.utf8), as: form) {
        if case .failure(let error) = result { return "\(error)" }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "a wrapper that stands twice is refused at its place",
    arguments: [
      (WireDecoder.Form.diff, #"{"diff":{"0":"a"},"diff":{"0":"b"}}"#, "/diff", "diff"),
      (.rendered, #"{"rendered":{"s":["a"]},"x":[1],"rendered":{"s":["b"]}}"#, "/rendered", "rendered"),
      (.diff, #"{"response":{"diff":{}},"response":{"diff":{}}}"#, "/response", "response"),
      (.diff, #"{"response":{"diff":{},"diff":{}}}"#, "/response/diff", "diff"),
      (.diff, #"[null,null,"t","phx_reply",{"status":"ok","response":{},"response":{}}]"#, "/4/response", "response"),
      (.diff, #"[null,null,"t","phx_reply",{"status":"ok","status":"error","response":{}}]"#, "/4/status", "status"),
      (
        .diff, #"[null,null,"t","phx_reply",{"status":"ok","response":{"diff":{},"diff":{}}}]"#, "/4/response/diff",
        "diff"
      ),
      (.frames, #"{"steps":[],"steps":[]}"#, "/steps", "steps"),
      (.frames, #"{"steps":[{"frame":[],"frame":[]}]}"#, "/steps/0/frame", "frame"),
      (.frames, #"{"view":"a","diff":{},"view":"b"}"#, "/view", "view"),
      (.frames, #"[{"diff":{}},{"diff":{},"diff":{}}]"#, "/1/diff", "diff"),
    ])
  func wrapperTwice(form: WireDecoder.Form, text: String, place: String, key: String) {
    #expect(fault(text, form) == "at \(place): the key \"\(key)\" stands twice in one object")
  }

  // MARK: - Lines

  @Test(arguments: ["x\n", "{\n", "1\n"])
  func twoMegabytesOfLinesThatCannotBeReadAreOneError(line: String) throws {
    let text = String(repeating: line, count: 1 << 20)
    let message = try #require(fault(text, .frames))
    #expect(message.hasSuffix("; 1000 lines cannot be read, and the rest was not looked at"), "\(message)")
    #expect(throws: WireError.self) { try WireDecoder().decode(Array(text.utf8), as: .frames) }
  }

  @Test func theErrorIsThatOfTheFirstLineThatCannotBeRead() {
    let good = "[null,null,\"t\",\"presence\",{}]\n"
    let text = good + String(repeating: "x\n" + good, count: WireDecoder.maximumUnreadableLines)
    let message =
      "not JSON at byte \(good.utf8.count): expected a value; "
      + "1000 lines cannot be read, and the rest was not looked at"
    #expect(fault(text, .frames) == message)
  }

  @Test func fewerUnreadableLinesHideNoOther() throws {
    let count = WireDecoder.maximumUnreadableLines - 1
    let text = String(repeating: "x\n", count: count) + "[null,null,\"t\",\"presence\",{}]\n"
    let results = try WireDecoder().decode(Array(text.utf8), as: .frames)
    #expect(results.count == count + 1)
    #expect(try results.last?.get().topic == "t")
  }

  // MARK: - Values

  @Test func moreValuesThanABodyMayHaveAreRefusedBeforeTheyAreParsed() {
    let most = WireDecoder.maximumValues
    let values = { (count: Int) in "[" + String(repeating: "0,", count: count) + "0]" }
    #expect(fault(values(most - 1), .diff)?.contains("values") == false)
    #expect(
      fault(values(most), .diff)
        == "at the top: the JSON has more than \(most) values: the first too many is at byte \(2 * most); send less at once"
    )
    // What stands in a string is no value.
    #expect(fault("{\"0\":\"\(String(repeating: ",\\\",", count: most))\"}", .diff) == nil)
  }

  // MARK: - Numbers

  @Test(arguments: ["123456789012345678901234567890", "-9223372036854775809", "1e999", "-1e999"])
  func aNumberBeyond64BitsIsJSONOfAWrongShape(number: String) {
    let message = "at the top: a number beyond 64 bits, to be sent as a string, at byte 5"
    #expect(fault("{\"0\":\(number)}", .diff) == message)
    #expect(fault("{\"0\":\(number),\"1\":\(number)}", .diff) == message)
  }

  @Test func aFaultOfSyntaxBehindALargeNumberIsTheOneThatIsReported() {
    let number = "123456789012345678901234567890"
    #expect(fault("{\"0\":\(number),}", .diff) == "not JSON at byte 36: expected a key in double quotes")
    #expect(fault("[\(number)] x", .diff) == "not JSON at byte 33: something stands behind the end of the JSON text")
  }
}
