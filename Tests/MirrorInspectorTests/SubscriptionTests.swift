import Dispatch
import LiveViewMirror
import MarkupDocument
import MicroHTTP
import NodeObservation
import Testing

@testable import MirrorInspector

@Suite struct SubscriptionTests {
  /// A view with a list: `<ul>` is node 2, and its items are nodes 3 and 5.
  private func list(limit: Int = 1_000) throws -> Client {
    let client = try Client(subscriptions: limit)
    let mounted = try client.post(
      "/views/main/rendered", #"{"s":["<ul>","</ul><p>","</p>"],"0":"<li>a</li><li>b</li>","1":"x"}"#)
    #expect(mounted.status == 201)
    return client
  }

  private func subscribe(_ client: Client, _ body: String) throws -> Client.Answer {
    try client.post("/views/main/subscriptions", body)
  }

  @Test
  func `a subscription is counted at its node, and has the number of its notifications`() throws {
    let client = try list()
    let created = try subscribe(client, #"{"node": 2, "label": "the \"list\""}"#)
    #expect(created.status == 201)
    let id = try #require(created.json["id"].int)
    #expect(created.response.headers["Location"] == "/views/main/subscriptions/\(id)")
    #expect(created.json["label"].string == "the \"list\"" && created.json["notified"].int == 0)
    #expect(created.json["children"].bool == false && created.json["epoch"].int == 1)
    #expect(try client.get("/views/main/nodes/2").json["subscriptions"].int == 1)
    #expect(try client.get("/views/main").json["subscriptions"].int == 1)

    let record = try client.post("/views/main/diffs", #"{"0":"<li>a</li>"}"#).json
    #expect(record["observers"].int == 2, "the observer of the list, and the subscription")
    _ = try client.post("/views/main/diffs", #"{"1":"y"}"#)
    let shown = try client.get("/views/main/subscriptions/\(id)").json
    #expect(shown["notified"].int == 1 && shown["last_version"].int == 1)
    #expect(try client.get("/views/main/subscriptions").json["subscriptions"].array == [shown])

    #expect(try client.send(.delete, "/views/main/subscriptions/\(id)", "").status == 204)
    #expect(try client.send(.delete, "/views/main/subscriptions/\(id)", "").status == 404)
    #expect(try client.get("/views/main/subscriptions/\(id)").status == 404)
    #expect(try client.get("/views/main/nodes/2").json["subscriptions"].int == 0)
  }

  @Test
  func `a subscription with children is notified of changes of direct children, including added ones`() throws {
    let client = try list()
    let id = try #require(try subscribe(client, #"{"node":2,"children":true}"#).json["id"].int)
    func subscription() throws -> JSONValue { try client.get("/views/main/subscriptions/\(id)").json }
    func counted() throws -> [Int] {
      try client.get("/views/main/subscribers").json["nodes"].array
        .filter { $0["subscriptions"].int == 1 }.compactMap { $0["node"].int }
    }
    let document = try #require(client.views["main"]?.document)
    let list = document.children(of: document.root)[0]
    #expect(try counted() == ([list] + document.children(of: list)).map(\.number))
    _ = try client.post("/views/main/diffs", #"{"0":"<li>c</li><li>b</li><li>d</li>"}"#)
    // The update changes the children of the list, and the text of the first child.
    #expect(try subscription()["notified"].int == 2 && subscription()["nodes"].int == 4)
    _ = try client.post("/views/main/diffs", #"{"0":"<li>c</li><li>b</li><li>e</li>"}"#)
    #expect(try subscription()["notified"].int == 3)
    _ = try client.post("/views/main/diffs", #"{"0":""}"#)
    #expect(try subscription()["notified"].int == 4)
    #expect(try counted() == [list.number])
  }

  @Test(arguments: 0...2)
  func `a subscription ends when its node is removed, or its view is remounted or deleted`(how: Int) throws {
    let client = try list()
    let item = try #require(try client.get("/views/main/tree").json["root"]["children"][0]["children"][1]["node"].int)
    let id = try #require(try subscribe(client, #"{"node":\#(item),"children":true}"#).json["id"].int)
    switch how {
    case 0: _ = try client.post("/views/main/diffs", #"{"0":"<li>a</li>"}"#)
    case 1: try client.mountCounter()
    default:
      _ = try client.send(.delete, "/views/main", "")
      try client.mountCounter()
    }
    #expect(try client.get("/views/main/subscriptions/\(id)").status == 404)
    #expect(try client.get("/views/main/subscriptions").json["subscriptions"].array.isEmpty)
    #expect(try client.get("/views/main/subscribers").json["subscriptions"].int == 0)
  }

  @Test
  func `a subscription to a removed view is refused and not counted`() throws {
    let client = try list()
    let view = try #require(client.views["main"])
    #expect(client.views.remove("main"))
    let subscriptions = Subscriptions()
    #expect(throws: Subscriptions.Refusal.unknownNode) {
      try subscriptions.add(to: NodeRef(epoch: 1, number: 2), in: view, hasChildren: true, label: nil)
    }
    #expect(subscriptions.count == 0 && view.publishers.counts().isEmpty)
  }

  @Test
  func `a subscription that begins during an update follows exactly the remaining children`() throws {
    // With 400 children, the update removes some of them while they are being subscribed to.
    let items = (0..<400).map { "<li>\($0)</li>" }
    for _ in 0..<40 {
      let client = try Client()
      _ = try client.post("/views/main/rendered", #"{"s":["<ul>","</ul>"],"0":"\#(items.joined())"}"#)
      let view = try #require(client.views["main"])
      let subscriptions = Subscriptions()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          _ = try? client.post("/views/main/diffs", #"{"0":"<li>0</li>"}"#)
        } else {
          // Adds and removes subscriptions until the update is applied. The last one stays.
          while subscriptions.count == 0,
            let one = try? subscriptions.add(to: NodeRef(epoch: 1, number: 2), in: view, hasChildren: true, label: nil)
          {
            if view.view?.version == 0 { _ = subscriptions.remove(one.id, of: "main") }
          }
        }
      }
      let document = try #require(view.document)
      #expect(document.children(of: NodeRef(epoch: 1, number: 2)).count == 1)
      #expect(subscriptions.all(of: "main").allSatisfy { $0.nodes == 2 })
      #expect(view.publishers.counts().keys.allSatisfy { document.contains($0) })
    }
  }

  @Test
  func `a subscription above the limit gets a 429 until another one is deleted`() throws {
    let client = try list(limit: 2)
    let first = try #require(try subscribe(client, #"{"node":2}"#).json["id"].int)
    #expect(try subscribe(client, #"{"node":2}"#).status == 201)
    let answer = try subscribe(client, #"{"node":2}"#)
    #expect(answer.status == 429 && answer.response.headers["Retry-After"] != nil)
    #expect(try client.send(.delete, "/views/main/subscriptions/\(first)", "").status == 204)
    #expect(try subscribe(client, #"{"node":99}"#).status == 404)
    #expect(try subscribe(client, #"{"node":2}"#).status == 201)
  }

  @Test
  func `the number of followed nodes is bounded, and a refused subscription follows none`() throws {
    let client = try Client(followedNodes: 5)
    let page = #"{"s":["<ul>","</ul><ol>","</ol>"],"0":"<li>a</li><li>b</li><li>c</li>","1":"<li>a</li><li>b</li>"}"#
    _ = try client.post("/views/main/rendered", page)
    let lists = try #require(client.views["main"]?.document.map { $0.children(of: $0.root) })
    func follow(_ node: NodeRef) throws -> Client.Answer {
      try subscribe(client, #"{"node":\#(node.number),"children":true}"#)
    }
    let first = try follow(lists[0])
    #expect(first.status == 201 && first.json["nodes"].int == 4 && first.json["not_followed"].int == 0)
    #expect(try follow(lists[1]).status == 201)
    let refused = try follow(lists[1])
    #expect(refused.status == 429 && refused.response.headers["Retry-After"] != nil)
    #expect(try client.get("/views").json["usage"]["followed_nodes"].int == 5)
    #expect(try client.get("/views/main").json["subscriptions"].int == 2)
    let id = try #require(first.json["id"].int)
    #expect(try client.send(.delete, "/views/main/subscriptions/\(id)", "").status == 204)
    #expect(try follow(lists[1]).status == 201)
    #expect(try client.get("/views").json["usage"]["followed_nodes"].int == 4)
    _ = try client.post("/views/main/diffs", #"{"0":"<li>a</li><li>b</li><li>c</li><li>d</li>"}"#)
    let tooMany = try follow(lists[0])
    #expect(tooMany.status == 422 && tooMany.json["pointer"].string == "/children")
  }

  @Test
  func `a subscription reports the children above the bound, and follows them when there is room`() throws {
    let client = try Client(followedNodes: 6)
    _ = try client.post("/views/main/rendered", #"{"s":["<ul>","</ul><p>","</p>"],"0":"<li>a</li>","1":"x"}"#)
    let id = try #require(try subscribe(client, #"{"node":2,"children":true}"#).json["id"].int)
    func subscription() throws -> JSONValue { try client.get("/views/main/subscriptions/\(id)").json }
    _ = try client.post("/views/main/diffs", #"{"0":"<li>a</li><li>b</li><li>c</li><li>d</li><li>e</li>"}"#)
    #expect(try subscription()["nodes"].int == 4 && subscription()["not_followed"].int == 2)
    let before = try #require(try subscription()["notified"].int)
    _ = try client.post("/views/main/diffs", #"{"0":"<li>A</li><li>b</li><li>c</li><li>d</li><li>E</li>"}"#)
    #expect(try subscription()["notified"].int == before + 1, "the first child is followed, the last is not")
    _ = try client.post("/views/main/diffs", #"{"0":"<li>A</li><li>E</li>"}"#)
    #expect(try subscription()["nodes"].int == 3 && subscription()["not_followed"].int == 0)
    #expect(try client.get("/views").json["usage"]["followed_nodes"].int == 2)
    _ = try client.send(.delete, "/views/main", "")
    #expect(try client.get("/views").json["usage"]["followed_nodes"].int == 0)
  }

  @Test(
    arguments: [
      (#"{"node":"#, 400, nil), ("", 400, nil), ("[]", 422, ""), ("{}", 422, ""), (#"{"node":"2"}"#, 422, "/node"),
      (#"{"node":0}"#, 422, "/node"), (#"{"node":2.5}"#, 422, "/node"), (#"{"node":2,"children":1}"#, 422, "/children"),
      (#"{"node":2,"label":[]}"#, 422, "/label"), (#"{"node":2,"a/b":1}"#, 422, "/a~1b"),
      (#"{"node":2,"node":2}"#, 422, "/node"), (#"{"node":99}"#, 404, nil),
      (#"{"node":2,"label":"\#(String(repeating: "x", count: 201))"}"#, 422, "/label"),
    ])
  func `malformed JSON gets a 400 with its offset, and an invalid request gets a 422 with a pointer`(
    body: String, status: Int, pointer: String?
  ) throws {
    let client = try list()
    let answer = try subscribe(client, body)
    #expect(answer.status == status)
    #expect(answer.json["pointer"].string == pointer)
    #expect((answer.json["offset"].int != nil) == (status == 400))
    #expect(try client.get("/views/main").json["subscriptions"].int == 0)
  }
}
