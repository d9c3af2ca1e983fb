import MicroHTTP
import Testing

@testable import MirrorInspector

/// Problems have a code that programs can compare.
@Suite struct ProblemTests {
  @Test(
    arguments: [
      ("GET", "/views/none", "", 404, "unknown-view"), ("GET", "/pages/none", "", 404, "unknown-page"),
      ("GET", "/views/main?epoch=9", "", 404, "unknown-epoch"),
      ("GET", "/views/main/html?version=9", "", 404, "unknown-version"),
      ("GET", "/views/main/nodes/99", "", 404, "unknown-node"),
      ("GET", "/views/main/log/0/steps/7", "", 404, "unknown-step"),
      ("GET", "/views/main/subscriptions/7", "", 404, "unknown-subscription"),
      ("GET", "/nothing", "", 404, "not-found"), ("POST", "/healthz", "", 405, "method-not-allowed"),
      ("GET", "/views/main/log?after=x", "", 400, "invalid-parameter"),
      ("GET", "/views/main/compare", "", 400, "missing-parameter"),
      ("GET", "/views/main/log?limt=1", "", 400, "unknown-parameter"),
      ("GET", "/views?fields=vew", "", 400, "unknown-field"),
      ("POST", "/views/main/diffs", "{", 400, "invalid-json"),
      ("POST", "/views/main/diffs", #"{"9":"1"}"#, 422, "does-not-fit"),
      ("POST", "/views/main/subscriptions", "{}", 422, "invalid-body"),
      ("POST", "/views/!/rendered", "{}", 400, "invalid-view-id"),
      ("POST", "/views/main/push", #"{"event":"inc"}"#, 409, "no-carrier"),
      ("GET", "/pages/!", "", 400, "invalid-page-id"),
    ])
  func `a problem has the code of its kind, and ends with a line feed`(
    method: String, target: String, body: String, status: Int, code: String
  ) throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    let answer = try client.send(method == "GET" ? .get : .post, target, body)
    #expect((answer.status, answer.json["code"].string) == (status, code), "\(answer.text)")
    #expect(answer.type == "application/problem+json" && answer.text.hasSuffix("}\n"))
  }

  @Test func `a rejected input has its code in the log`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    _ = try client.post("/views/main/diffs", #"{"9":"1"}"#)
    let entries = try client.get("/views/main/log").json["entries"]
    #expect(entries[1]["rejected"]["code"].string == "does-not-fit")
  }

  @Test func `every code is described once, and has the status of an error`() throws {
    let described = Description.shared["components", "schemas", "Problem", "properties", "code", "enum"] as? [String]
    #expect(described == ProblemCode.all)
    #expect(Set(ProblemCode.all).count == ProblemCode.all.count)
    for code in ProblemCode.allCases {
      #expect((400..<600).contains(code.status.code))
      #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(code)")
    }
  }
}
