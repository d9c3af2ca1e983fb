import LiveViewMirror
import MicroHTTP
import Testing

@testable import MirrorInspector

/// `Vary: Accept`, and the entity tags of the log.
@Suite struct NegotiationTests {
  private static let forms = ["application/json", "text/plain", "text/html", "image/png"]

  private func client(limits: MirrorLimits = MirrorLimits()) throws -> Client {
    let client = try Client(limits: limits, metrics: Metrics(version: "test"))
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    return client
  }

  private func varies(_ answer: Client.Answer) -> Bool { answer.response.headers["Vary"]?.contains("Accept") == true }

  @Test(arguments: MirrorInspector.Operation.all.filter { $0.method == .get })
  func `a response varies by Accept if the route has several forms`(operation: MirrorInspector.Operation) throws {
    let client = try client()
    _ = try client.post("/pages/tab", "{}")
    _ = try client.post("/views/main/subscriptions", #"{"node":1}"#)
    let target = operation.path.replacing("{view}", with: "main").replacing("{page}", with: "tab")
      .replacing("{node}", with: "1").replacing("{version}", with: "1").replacing("{step}", with: "5")
      .replacing("{id}", with: "1").replacing("{file}", with: "tap.js")
    let query = operation.parameters.filter(\.isRequired).map { "\($0.name)=1" }.joined(separator: "&")
    for form in Self.forms {
      let answer = try client.get(query.isEmpty ? target : "\(target)?\(query)", accept: form)
      #expect(answer.status < 400, "\(target) \(form) \(answer.text.prefix(300))")
      #expect(varies(answer) == (operation.mediaTypes.count > 1), "\(target) \(form)")
    }
  }

  @Test(
    arguments: [
      "/views/none", "/nothing", "/pages/none", "/views/main/log?after=x", "/views/main/tree?version=9",
      "/views/main/log?a=b",
      "/assets/none.js",
    ])
  func `every error of GET varies by Accept, because browsers get a page`(target: String) throws {
    for form in Self.forms {
      let answer = try client().get(target, accept: form)
      #expect(answer.status >= 400 && varies(answer), "\(form)")
      #expect(answer.type?.hasPrefix("text/html") == (form == "text/html"))
    }
    #expect(varies(try client().send(.head, target, "", accept: "text/html")))
  }

  // MARK: - The log

  /// The tag, which a client can send to get a 304.
  private func tag(_ client: Client, _ target: String, _ form: String = "application/json") throws -> String {
    let answer = try client.get(target, accept: form)
    #expect(answer.status == 200)
    let tag = try #require(answer.response.headers["ETag"])
    // The tag stands for the bytes: the client that has it needs nothing else.
    let again = try client.send(.get, target, "", accept: form, headers: ["If-None-Match": tag])
    #expect(again.status == 304 && again.response.bytes.isEmpty && again.type == nil)
    #expect(again.response.headers["ETag"] == tag && varies(again))
    #expect(again.response.headers["Cache-Control"] == "no-cache")
    return tag
  }

  @Test func `the tag of the log differs for each query, form, view and state`() throws {
    let client = try client()
    _ = try client.post("/views/other/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    _ = try client.post("/views/other/diffs", #"{"0":"1"}"#)
    var tags: [String] = []
    for view in ["main", "other"] {
      for query in ["", "?after=0", "?limit=1", "?node=2", "?event=inc", "?fields=version"] {
        for form in Self.forms.prefix(2) { tags.append(try tag(client, "/views/\(view)/log\(query)", form)) }
      }
    }
    _ = try client.post("/views/main/diffs", #"{"0":"2"}"#)
    tags.append(try tag(client, "/views/main/log"))
    _ = try client.post("/views/main/diffs", #"{"7":"2"}"#)
    tags.append(try tag(client, "/views/main/log"))
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    tags.append(try tag(client, "/views/main/log"))
    tags.append(try tag(client, "/views/main/log?epoch=1"))
    _ = try client.send(.delete, "/views/main", "")
    _ = try client.post("/views/main/rendered", #"{"0":"9","s":["<p>","</p>"]}"#)
    tags.append(try tag(client, "/views/main/log"))
    #expect(Set(tags).count == tags.count)
  }

  @Test func `the log has a new tag whenever its content differs, also if entries were evicted`() throws {
    let client = try client(limits: MirrorLimits(versions: 5))
    var contents: [String: String] = [:]
    for number in 0..<40 {
      let answer = try client.get("/views/main/log?limit=3")
      let tag = try #require(answer.response.headers["ETag"])
      #expect(contents.updateValue(answer.text, forKey: tag) ?? answer.text == answer.text)
      _ = try client.post("/views/main/diffs", number % 7 == 0 ? #"{"7":""}"# : #"{"0":"\#(number)"}"#)
    }
  }

  @Test func `a request with If-Match gets the log, as the condition is checked later`() throws {
    let client = try client()
    let tag = try tag(client, "/views/main/log")
    let answer = try client.send(
      .get, "/views/main/log", "", headers: ["If-None-Match": tag, "If-Match": "\"other\""])
    #expect(answer.status == 200)
  }
}
