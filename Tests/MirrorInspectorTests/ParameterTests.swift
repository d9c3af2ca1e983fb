import MicroHTTP
import Testing

@testable import MirrorInspector

/// Query parameters that a route does not know.
@Suite struct ParameterTests {
  private func client() throws -> Client {
    let client = try Client(metrics: Metrics(version: "test"))
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<ul><li>","</li><li id=\"b\">2</li></ul>"],"t":"A"}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    _ = try client.post("/pages/tab", "{}")
    return client
  }

  private func target(of operation: MirrorInspector.Operation) -> String {
    operation.path.replacing("{view}", with: "main").replacing("{page}", with: "tab").replacing("{node}", with: "1")
      .replacing("{version}", with: "1").replacing("{step}", with: "5").replacing("{id}", with: "1")
      .replacing("{file}", with: "tap.js")
  }

  @Test(arguments: MirrorInspector.Operation.all)
  func `a route with JSON or text refuses a parameter that it does not know, and a page ignores it`(
    operation: MirrorInspector.Operation
  ) throws {
    let client = try client()
    let isPage =
      operation.isOfPage || operation.mediaTypes.first == "text/html" || operation.mediaTypes.first == "*/*"
    let answer = try client.send(operation.method, target(of: operation) + "?utm_source=a", "{}")
    #expect((answer.json["code"].string == "unknown-parameter") == !isPage, "\(answer.text.prefix(200))")
    if !isPage { #expect(answer.status == 400) }
    guard operation.mediaTypes.contains("text/html") else { return }
    let needed = operation.parameters.filter(\.isRequired).map { "&\($0.name)=1" }.joined()
    let page = try client.send(
      operation.method, target(of: operation) + "?utm_source=a\(needed)", "", accept: "text/html")
    #expect(page.status < 400)
  }

  @Test(arguments: MirrorInspector.Operation.all)
  func `a route knows the parameters of its description`(operation: MirrorInspector.Operation) throws {
    for parameter in operation.parameters where parameter.place == .query {
      let answer = try client().send(operation.method, target(of: operation) + "?\(parameter.name)=1", "{}")
      #expect(answer.json["code"].string != "unknown-parameter", "\(parameter.name)")
    }
  }

  @Test(
    arguments: [
      ("/views/main/log?limt=1", #""limt" is not a parameter of GET /views/{view}/log; did you mean limit?"#),
      (
        "/views/main/log/1?quite_different=1",
        #""quite_different" is not a parameter of GET /views/{view}/log/{version}; it must be one of epoch, explain."#
      ),
      ("/openapi.json?a=1", #""a" is not a parameter of GET /openapi.json, which has none."#),
    ])
  func `the error suggests the nearest name`(target: String, detail: String) throws {
    #expect(try client().get(target).json["detail"].string == detail)
  }

  @Test func `the script of a page may pass on the parameters of the page's address`() throws {
    #expect(try client().get("/views/main/inspector?utm_source=a&tab=steps&step=5&version=1").status == 200)
  }
}
