import MicroHTTP
import Testing

@testable import MirrorInspector

/// Query parameters: unknown ones, and `fields`.
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
    for parameter in operation.allParameters where parameter.location == .query {
      let answer = try client().send(operation.method, target(of: operation) + "?\(parameter.name)=1", "{}")
      #expect(answer.json["code"].string != "unknown-parameter", "\(parameter.name)")
    }
  }

  @Test(
    arguments: [
      ("/views/main/log?limt=1", #""limt" is not a parameter of GET /views/{view}/log; did you mean limit?"#),
      (
        "/views/main/log/1?quite_different=1",
        #""quite_different" is not a parameter of GET /views/{view}/log/{version}; it must be one of epoch, explain, fields."#
      ),
      ("/openapi.json?a=1", #""a" is not a parameter of GET /openapi.json, which has none."#),
      (
        "/views?fields=view,vrsion",
        #""vrsion" is not a field of these objects; did you mean version?"#
      ),
    ])
  func `the error suggests the nearest name`(target: String, detail: String) throws {
    #expect(try client().get(target).json["detail"].string == detail)
  }

  @Test func `the script of a page may pass on the parameters of the page's address`() throws {
    #expect(try client().get("/views/main/inspector?utm_source=a&tab=steps&step=5&version=1").status == 200)
  }

  // MARK: - Fields

  @Test(arguments: MirrorInspector.Operation.all.filter { $0.items != nil && $0.id != "showLogEntry" })
  func `each field alone can be chosen`(operation: MirrorInspector.Operation) throws {
    var client = try client()
    client.comparesDescription = false
    _ = try client.post("/views/main/subscriptions", #"{"node":1}"#)
    let whole = try client.get(target(of: operation)).json
    let items = try #require(operation.items)
    for field in items.schema.propertyNames {
      let chosen = try client.get(target(of: operation) + "?fields=\(field)").json
      guard let list = items.list else {
        #expect(chosen.keys == whole.keys.intersection([field]))
        #expect(chosen[field] == whole[field])
        continue
      }
      #expect(chosen.keys == whole.keys && chosen[list].array.count == whole[list].array.count)
      for (item, chosen) in zip(whole[list].array, chosen[list].array) {
        #expect(chosen.keys == item.keys.intersection([field]))
        #expect(chosen[field] == item[field])
      }
    }
  }

  @Test func `chosen fields keep their order and their text`() throws {
    #expect(
      try client().get("/views/main/nodes?fields=attributes,tag,node").text == """
        {"view":"main","epoch":1,"version":1,"nodes":[{"node":2,"tag":"ul","attributes":{}},\
        {"node":3,"tag":"li","attributes":{}},{"node":5,"tag":"li","attributes":{"id":"b"}}],"total":3}

        """)
    #expect(try client().get("/views/main?fields=title").text == #"{"title":"A"}"# + "\n")
    #expect(try client().get("/views/main?fields=title&fields=epoch").text == #"{"epoch":1,"title":"A"}"# + "\n")
    #expect(try client().get("/views/main?fields=").status == 400)
  }

  @Test(
    arguments: [
      ("{}", "{}"), (#"{"a":1}"#, #"{"a":1}"#), (#"{"b":[1,{"a":2}]}"#, "{}"),
      (#"{"b":"\"a\":1,}","a":"\\","c":[[],"]"]}"#, #"{"a":"\\"}"#),
      (#"{"a":{"b":[{}]},"b":null}"#, #"{"a":{"b":[{}]}}"#),
      (#"{ "b" : 1 , "a" : [ 1 , 2 ] }"#, #"{"a" : [ 1 , 2 ]}"#),
    ])
  func `members are chosen from any JSON`(json: String, chosen: String) {
    let selection = FieldSelection(choosing: ["a"])
    #expect(String(decoding: selection.applied(to: Array(json.utf8)), as: UTF8.self) == chosen + "\n")
  }

  // MARK: - Selectors and events

  @Test func `elements are found by a selector`() throws {
    let client = try client()
    let found = try client.get("/views/main/nodes?selector=li%23b").json
    #expect(found["nodes"].array.map { $0["node"].int } == [5])
    #expect(found["nodes"][0]["tag"].string == "li" && found["total"].int == 1)
    #expect(try client.get("/views/main/nodes?selector=table").json["nodes"].array.isEmpty)
    let first = try client.get("/views/main/nodes?selector=li&limit=1").json
    #expect(first["nodes"].array.count == 1 && first["total"].int == 2)
  }

  @Test(
    arguments: [
      ("li%5B", 4), ("%3E%3E", 1), ("li%3Afoo%20b", 7), ("", 1), ("a,,b", 3), ("ul%20%3E%20%7Bx", 6),
    ])
  func `a malformed selector is a 400 that names the place`(selector: String, place: Int) throws {
    let answer = try client().get("/views/main/nodes?selector=\(selector)")
    #expect(answer.status == 400)
    let detail = try #require(answer.json["detail"].string)
    #expect(detail.hasPrefix("selector must be a CSS selector"))
    #expect(detail.contains("(the fault is at character \(place))"), "\(detail)")
  }

  @Test func `the log is filtered by the event that a diff answers`() throws {
    let client = try Client()
    _ = try client.post("/frames", PageTests.join("lv:r", page: #"{"0":"0","s":["<p>","</p>"]}"#))
    for (ref, event) in [(7, "inc"), (8, "dec"), (9, "inc")] {
      _ = try client.post(
        "/frames",
        """
        ["4","\(ref)","lv:r","event",{"type":"click","event":"\(event)","value":{}}]
        ["4","\(ref)","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"\(ref)"}}}]
        """)
    }
    _ = try client.post("/views/lv:r/diffs", #"{"7":"1"}"#)
    let log = try client.get("/views/lv:r/log?event=inc&limit=1").json
    #expect(log["entries"].array.map { $0["version"].int } == [1])
    let rest = try client.get("/views/lv:r/log?event=inc&after=\(log["next"].string ?? "")").json
    #expect(rest["entries"].array.map { $0["version"].int } == [3])
    #expect(rest["next"].isNull)
    #expect(try client.get("/views/lv:r/log?event=none").json["entries"].array.isEmpty)
  }
}
