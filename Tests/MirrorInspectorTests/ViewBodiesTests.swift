import Dispatch
import MicroHTTP
import MirrorSupport
import Testing

@testable import MirrorInspector

/// The cache of response bodies of each view's newest version.
@Suite struct ViewBodiesTests {
  private let now = ViewBodies.Stamp(epoch: 1, version: 0)

  @Test
  func `concurrent requests of the same body create it once`() {
    let bodies = ViewBodies()
    let made = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let response = try? bodies.response(of: "main", .tree, now) {
        made.withLock { $0 += 1 }
        return .text("body")
      }
      #expect(response?.bytes == Array("body".utf8))
    }
    #expect(made.current == 1)
  }

  @Test
  func `a body is cached by version, generation and kind, and an error is not cached`() throws {
    struct Failure: Error {}
    let bodies = ViewBodies()
    func body(_ stamp: ViewBodies.Stamp, _ text: String, kind: ViewBodies.Kind = .tree) throws -> String {
      String(decoding: try bodies.response(of: "main", kind, stamp) { .text(text) }.bytes, as: UTF8.self)
    }
    #expect(throws: Failure.self) { _ = try bodies.response(of: "main", .tree, now) { throw Failure() } }
    #expect(try body(now, "a") == "a" && body(now, "b") == "a")
    #expect(try body(now, "c", kind: .markup) == "c")
    #expect(try body(.init(epoch: 1, version: 0, generation: 1), "d") == "d")
    #expect(try body(.init(epoch: 1, version: 1), "e") == "e")
    bodies.drop("other")
    #expect(try body(.init(epoch: 1, version: 1), "f") == "e")
    bodies.drop("main")
    #expect(bodies.bytes == 0)
    #expect(try body(.init(epoch: 1, version: 1), "f") == "f")
    let next = ViewBodies.Stamp(epoch: 1, version: 2)
    #expect(throws: Failure.self) { _ = try bodies.response(of: "main", .tree, next) { throw Failure() } }
    #expect(bodies.bytes == 0)
  }

  @Test
  func `the size of all bodies is bounded, and the least recently used one is evicted`() throws {
    let bodies = ViewBodies(limit: 100)
    func read(_ view: String, _ count: Int) throws -> Bool {
      var isMade = false
      _ = try bodies.response(of: view, .tree, now) {
        isMade = true
        return HTTPResponse(contentType: "a/b", bytes: [UInt8](repeating: 0, count: count))
      }
      return isMade
    }
    #expect(try read("a", 40) && read("b", 40) && !read("a", 40))
    #expect(try read("c", 40) && bodies.bytes == 80)
    #expect(try !read("a", 40) && read("b", 40))
    #expect(try read("large", 200) && bodies.bytes <= 100)
  }

  @Test
  func `a subscription, a diff, a remount and a removal change the tree response at once`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"s":["<p>","</p>"],"0":"a"}"#)
    func tree() throws -> JSONValue { try client.get("/views/main/tree").json["root"]["children"][0] }
    #expect(try tree()["subscribers"].int == 1 && tree()["subscribers"].int == 1)
    let id = try #require(try client.post("/views/main/subscriptions", #"{"node":2}"#).json["id"].int)
    #expect(try tree()["subscribers"].int == 2)
    _ = try client.send(.delete, "/views/main/subscriptions/\(id)", "")
    #expect(try tree()["subscribers"].int == 1)
    _ = try client.post("/views/main/diffs", #"{"0":"b"}"#)
    #expect(try tree()["children"][0]["text"].string == "b")
    _ = try client.post("/views/main/rendered", #"{"s":["<i>","</i>"],"0":"c"}"#)
    #expect(try tree()["tag"].string == "i")
    #expect(try client.get("/views/main/html").response.bytes == Array("<i>c</i>".utf8))
    _ = try client.send(.delete, "/views/main", "")
    #expect(try client.get("/views/main/tree").status == 404)
  }

  @Test(
    arguments: [
      (.get, "/healthz", .light), (.get, "/assets/a.css", .light),
      (.get, "/openapi.json", .several(queue: "openapi.json")),
      (.post, "/views/a/diffs", .of("a", isHeavy: false)), (.get, "/views/a", .of("a", isHeavy: false)),
      (.delete, "/views/a", .of("a", isHeavy: false)), (.get, "/views/a/events", .of("a", isHeavy: false)),
      (.get, "/views/a/tree", .of("a", isHeavy: true)), (.post, "/views/a/rendered", .of("a", isHeavy: true)),
      (.get, "/views/a/log/3", .of("a", isHeavy: true)), (.get, "/views", .several(queue: "")),
      (.get, "/", .several(queue: "")), (.get, "/metrics", .several(queue: "")),
      (.post, "/frames?page=p", .several(queue: "frames p")),
      (.post, "/frames?url=http://a/1&page=p", .several(queue: "frames p")),
      (.post, "/frames", .several(queue: "frames ")),
      (.get, "/pages/p", .several(queue: "pages")), (.post, "/views/a/push?wait=9", .of("a", isHeavy: true)),
      // Paths with escapes have the same demands as decoded ones.
      (.post, "/views/%61/diffs", .of("a", isHeavy: false)), (.post, "/%76iews/a/%64iffs", .of("a", isHeavy: false)),
      (.get, "/views/%61%2Db/tree", .of("a-b", isHeavy: true)), (.get, "/view%73", .several(queue: "")),
      (.get, "/%68ealthz", .light), (.get, "/views/a%2Fdiffs", .of("a/diffs", isHeavy: false)),
    ] as [(HTTPMethod, String, RequestDemand)])
  func `the decoded path determines the demand`(method: HTTPMethod, target: String, demand: RequestDemand) throws {
    #expect(Inspector.demand(of: try HTTPRequest(method: method, target: target)) == demand)
  }

  @Test
  func `an update with a long body first drops the bodies of all views, a short one only those of its view`() throws {
    let client = try Client()
    for id in ["a", "b"] {
      #expect(try client.post("/views/\(id)/rendered", #"{"0":"1","s":["<p>","</p>"]}"#).status == 201)
    }
    func kept() throws -> Int {
      for id in ["a", "b"] { #expect(try client.get("/views/\(id)/html").status == 200) }
      return client.events.bodies.bytes
    }
    #expect(try kept() == 2 * "<p>1</p>".utf8.count)
    #expect(try client.post("/views/a/diffs", #"{"0":"2"}"#).status == 200)
    #expect(client.events.bodies.bytes == "<p>1</p>".utf8.count)
    _ = try kept()
    let text = String(repeating: " ", count: 1 << 20)
    #expect(try client.post("/views/other/diffs", text).status == 404)
    #expect(client.events.bodies.bytes == 0)
    #expect(try kept() == 2 * "<p>1</p>".utf8.count)
  }
}
