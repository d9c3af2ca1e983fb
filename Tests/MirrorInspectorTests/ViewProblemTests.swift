import LiveViewMirror
import Testing

/// Attributes that the views of a drawn page cannot decode are diagnostics of the log.
@Suite struct ViewProblemTests {
  private static let message = #"<VStack>: attribute `spacing` is "lots", and not a length from 0 to 1000"#
  private static var listed: JSONValue { JSONValue([["code": "view-problem", "node": 2, "message": message]]) }
  private static var none: JSONValue { JSONValue([Any]()) }

  /// A client with a drawn page: a stack with the given spacing, and a text after it.
  private func client(value: String) throws -> Client {
    let client = try Client(options: UpdateOptions(drawsPage: true))
    try Self.mount(value, on: client)
    return client
  }

  private static func mount(_ value: String, on client: Client) throws {
    let rendered = #"{"s":["<VStack spacing=\"","\"></VStack><Text>","</Text>"],"0":"\#(value)","1":"a"}"#
    let answer = try client.post("/views/main/rendered?dialect=native", rendered)
    #expect((200...201).contains(answer.status))
    #expect(answer.json["diagnostics"] == none)
  }

  @Test func `an attribute that cannot be decoded is a diagnostic of the diff that sent it`() throws {
    let client = try client(value: "1")
    let answer = try client.post("/views/main/diffs", #"{"0":"lots"}"#)
    #expect(answer.json["diagnostics"] == Self.listed)
    #expect(try client.get("/views/main/log/1").json["diagnostics"] == Self.listed)
    #expect(try client.get("/views/main/log").json["entries"][1]["diagnostics"] == Self.listed)
    let text = try client.get("/views/main/log/1", accept: "text/plain").text
    #expect(text.hasSuffix("\n! view-problem: \(Self.message)\n"))
    #expect(try client.get("/views/main", accept: "text/html").text.contains("<code>view-problem</code>"))
  }

  @Test func `a diagnostic is not repeated by other diffs, but by a diff that sends the attribute again`() throws {
    let client = try client(value: "1")
    _ = try client.post("/views/main/diffs", #"{"0":"lots"}"#)
    #expect(try client.post("/views/main/diffs", #"{"1":"b"}"#).json["diagnostics"] == Self.none)
    #expect(try client.post("/views/main/diffs", #"{"0":"3"}"#).json["diagnostics"] == Self.none)
    #expect(try client.post("/views/main/diffs", #"{"0":"lots"}"#).json["diagnostics"] == Self.listed)
    #expect(try client.get("/views/main/log/1").json["diagnostics"] == Self.listed)
    #expect(try client.get("/views/main/log/2").json["diagnostics"] == Self.none)
  }

  @Test func `a diagnostic found while the page is drawn belongs to the next diff`() throws {
    let client = try client(value: "lots")
    #expect(try client.get("/views/main/page?frame").status == 200)
    #expect(try client.post("/views/main/diffs", #"{"1":"b"}"#).json["diagnostics"] == Self.listed)
    #expect(try client.get("/views/main/log/0").json["diagnostics"] == Self.none)
  }

  @Test func `a remount discards the diagnostics of the page before`() throws {
    let client = try client(value: "lots")
    #expect(try client.get("/views/main/page?frame").status == 200)
    try Self.mount("1", on: client)
    #expect(try client.post("/views/main/diffs", #"{"1":"b"}"#).json["diagnostics"] == Self.none)
  }
  /// The view of a slider also observes the children of its element, so it is drawn at once.
  @Test func `a diagnostic of a view that observes children belongs to the mount`() throws {
    let client = try Client(options: UpdateOptions(drawsPage: true))
    let answer = try client.post("/views/main/rendered?dialect=native", #"{"s":["<Slider value=\"lots\"/>"]}"#)
    #expect(
      answer.json["diagnostics"][0]["message"].string == #"<Slider>: attribute `value` is "lots", and not a number"#)
    #expect(try client.get("/views/main/log/0").json["diagnostics"] == answer.json["diagnostics"])
  }
}
