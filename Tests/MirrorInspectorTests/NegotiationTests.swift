import LiveViewMirror
import MicroHTTP
import Testing

@testable import MirrorInspector

/// `Vary: Accept`.
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
}
