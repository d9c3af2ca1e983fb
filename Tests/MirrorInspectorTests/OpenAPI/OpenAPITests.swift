import Foundation
import MicroHTTP
import MirrorSupport
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The OpenAPI document describes exactly the routes that exist.
@Suite struct OpenAPITests {
  private func routes() throws -> [Router.Route] { try Client(metrics: Metrics(version: "test")).inspector.routes }

  @Test func `every route is described`() throws {
    #expect(try routes().filter { OpenAPIDocument.operation(of: $0) == nil } == [])
  }

  @Test func `every description belongs to a route`() throws {
    let routes = try Set(routes().map { "\($0.method) \($0.pattern)" })
    #expect(Operation.all.map { "\($0.method) \($0.pattern)" }.filter { !routes.contains($0) } == [])
  }

  @Test func `an operation has a unique name, a summary, and a description of each parameter of its path`() {
    let ids = Operation.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for operation in Operation.all {
      #expect(!operation.summary.isEmpty && !operation.summary.hasSuffix("."), "\(operation.id)")
      for name in Operation.parameters(of: operation.pattern) {
        #expect(Parameter.inPaths[name] != nil, "{\(name)} of \(operation.pattern)")
      }
      let names = Operation.parameters(of: operation.pattern) + operation.allParameters.map(\.name)
      #expect(Set(names).count == names.count, "\(operation.id)")
    }
  }

  @Test func `no object of the document has a member twice, so that strict parsers read it`() throws {
    #expect(JSONMembers.repeated(in: #"{"a":{"b":1,"c":[{"b":1},{"b":"\"b\":"}],"b":2},"d":0,"a":1}"#) == ["b", "a"])
    #expect(try JSONMembers.repeated(in: Client().get("/openapi.json").text) == [])
  }

  @Test func `no schema has true or false as items, which generators of clients refuse`() throws {
    let text = try Client().get("/openapi.json").text
    #expect(text.contains(#""prefixItems":"#))
    #expect(text.matches(of: /"items":(true|false)/).isEmpty)
  }

  @Test func `every reference leads to something`() throws {
    let text = try Client().get("/openapi.json").text
    let document = Description(try JSONSerialization.jsonObject(with: Data(text.utf8)))
    let references = Set(text.matches(of: /"(#\/components\/(\w+)\/(\w+))"/).map { [String($0.2), String($0.3)] })
    #expect(references.count > 40)
    for reference in references { #expect(document["components", reference[0], reference[1]] != nil, "\(reference)") }
    for operation in text.matches(of: /"operationId":"(\w+)","parameters":\{/) {
      #expect(Operation.all.contains { $0.id == operation.1 }, "\(operation.1)")
    }
  }

  @Test func `the examples of bodies are accepted`() throws {
    for operation in Operation.all {
      for content in operation.body?.content ?? [] {
        for example in content.examples where operation.id != "push" {
          let client = try Client()
          _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
          let target = operation.path.replacing("{view}", with: "main").replacing("{page}", with: "tab")
          let body: String = if case .string(let lines) = example.value { lines } else { example.value.encoded }
          let answer = try client.post(target, body)
          #expect(answer.status < 300, "\(operation.id) \(example.name): \(answer.text)")
          #expect(answer.json["rejected_frames"].int ?? 0 == 0, "\(operation.id) \(example.name): \(answer.text)")
        }
      }
    }
  }

  @Test func `the document names the server that the client has asked, and the version of the program`() throws {
    let client = try Client(metrics: Metrics(version: "1.2.3"))
    let answer = try client.get("/openapi.json")
    #expect(answer.type == "application/json")
    #expect(answer.json["openapi"].string == "3.1.0")
    #expect(answer.json["servers"][0]["url"].string == "http://localhost:8080")
    #expect(answer.json["info"]["version"].string == "1.2.3")
    #expect(answer.response.headers["ETag"] != nil)
  }

  @Test func `a server with a token asks for it, except for its health and its files`() throws {
    let open = try Client().get("/openapi.json").json
    #expect(open["security"].isNull && open["components"]["securitySchemes"].isNull)
    let guarded = Description.shared
    #expect((guarded["components", "securitySchemes", "token", "scheme"] as? String) == "bearer")
    #expect((guarded["paths", "/views", "get", "responses", "401"]) != nil)
    #expect((guarded["paths", "/healthz", "get", "responses", "401"]) == nil)
    #expect((guarded["paths", "/healthz", "get", "security"] as? [Any])?.isEmpty == true)
  }
}
