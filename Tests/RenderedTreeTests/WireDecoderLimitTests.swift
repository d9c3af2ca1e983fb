import RenderedTree
import Testing

/// Valid JSON that is rejected, and the limits of the decoder.
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
  func `a wrapper key that occurs twice is refused with its path`(
    form: WireDecoder.Form, text: String, place: String, key: String
  ) {
    #expect(fault(text, form) == "at \(place): the key \"\(key)\" occurs twice in one object")
  }

  // MARK: - Lines

  @Test(arguments: ["x\n", "{\n", "1\n"])
  func `two megabytes of invalid lines give one error`(line: String) throws {
    let text = String(repeating: line, count: 1 << 20)
    let message = try #require(fault(text, .frames))
    #expect(message.hasSuffix("; 1000 lines are invalid; the remaining lines were not checked"), "\(message)")
    #expect(throws: WireError.self) { try WireDecoder().decode(Array(text.utf8), as: .frames) }
  }

  @Test func `the error is that of the first invalid line`() {
    let good = "[null,null,\"t\",\"presence\",{}]\n"
    let text = good + String(repeating: "x\n" + good, count: WireDecoder.maximumUnreadableLines)
    let message =
      "not JSON at byte \(good.utf8.count): expected a value; "
      + "1000 lines are invalid; the remaining lines were not checked"
    #expect(fault(text, .frames) == message)
  }

  @Test func `a few invalid lines do not hide the others`() throws {
    let count = WireDecoder.maximumUnreadableLines - 1
    let text = String(repeating: "x\n", count: count) + "[null,null,\"t\",\"presence\",{}]\n"
    let results = try WireDecoder().decode(Array(text.utf8), as: .frames)
    #expect(results.count == count + 1)
    #expect(try results.last?.get().topic == "t")
  }

  // MARK: - Values

  @Test func `a body with too many values is refused before it is parsed`() {
    let most = WireDecoder.maximumValues
    let values = { (count: Int) in "[" + String(repeating: "0,", count: count) + "0]" }
    #expect(fault(values(most - 1), .diff)?.contains("values") == false)
    #expect(
      fault(values(most), .diff)
        == "at the top: the JSON must have at most \(most) values: the first surplus value is at byte \(2 * most)"
    )
    // Commas in a string do not separate values.
    #expect(fault("{\"0\":\"\(String(repeating: ",\\\",", count: most))\"}", .diff) == nil)
  }

  // MARK: - Numbers

  @Test(arguments: ["123456789012345678901234567890", "-9223372036854775809", "1e999", "-1e999"])
  func `a number beyond 64 bits is JSON with a wrong shape`(number: String) {
    let message = "at the top: a number must fit into 64 bits or be sent as a string, at byte 5"
    #expect(fault("{\"0\":\(number)}", .diff) == message)
    #expect(fault("{\"0\":\(number),\"1\":\(number)}", .diff) == message)
  }

  @Test func `a syntax error after a number beyond 64 bits is reported instead`() {
    let number = "123456789012345678901234567890"
    #expect(fault("{\"0\":\(number),}", .diff) == "not JSON at byte 36: expected a key in double quotes")
    #expect(fault("[\(number)] x", .diff) == "not JSON at byte 33: unexpected content after the end of the JSON text")
  }
}
