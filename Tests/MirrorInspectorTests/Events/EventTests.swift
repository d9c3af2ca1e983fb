import LiveViewMirror
import MarkupDocument
import MicroHTTP
import MirrorSupport
import NodeObservation
import Testing

@testable import MirrorInspector

@Suite struct EventTests {
  @Test
  func `a stream begins with its retry time and its first id, and then sends every update and rejection`() throws {
    let client = try Client()
    try client.mountCounter()
    try client.count(1)
    let answer = try client.get("/views/main/events")
    #expect(answer.status == 200 && answer.type == "text/event-stream")
    #expect(answer.response.headers["Cache-Control"] == "no-store")
    #expect(answer.response.headers["X-Accel-Buffering"] == "no")
    guard case .stream(let stream) = answer.response.body else { throw Client.Refused(status: 0, text: "") }
    let events = EventReader(stream)
    #expect(events.read().isEmpty)
    #expect(events.retry == 1000 && events.lastID == "1.1")

    let posted = try client.post("/views/main/diffs", #"{"0":"2"}"#).json
    try client.sendNonsense()
    try client.sendNonsense()
    try client.mountCounter()
    let messages = events.read()
    #expect(messages.map(\.description) == ["change 1.2", "rejected 1.2.1", "rejected 1.2.2", "mount 2.0"])
    #expect(messages[0].json["changes"] == posted["changes"] && messages[0].json["timings"] == posted["timings"])
    #expect(messages[1].json["rejected"]["status"].int == 422)
    #expect(messages[3].json["epoch"].int == 2 && messages[3].json["version"].int == 0)
    #expect(!events.isAtEnd)
  }

  @Test
  func `a client can ask for the pace of its stream`() throws {
    let client = try Client()
    try client.mountCounter()
    let paces = try ["", "?pace=0", "?pace=200", "?pace=1000"].map { query -> Duration? in
      guard case .stream(let stream) = try client.get("/views/main/events" + query).response.body else { return nil }
      return stream.pace
    }
    #expect(paces == [.zero, .zero, .milliseconds(200), .seconds(1)])
    for query in ["pace=1001", "pace=-1", "pace=fast"] {
      let answer = try client.get("/views/main/events?" + query)
      #expect(answer.status == 400 && answer.text.contains("pace must be"), "\(query)")
    }
  }

  @Test
  func `a client that sends its last event id gets exactly the events after it`() throws {
    let client = try Client()
    try client.mountCounter()
    let all = try client.events()
    for number in 1...300 {
      try client.count(number)
      if number % 7 == 0 { try client.sendNonsense() }
    }
    let seen = all.read()
    #expect(seen.count == 300 + 42)
    for position in stride(from: 0, to: seen.count, by: 13) {
      let id = try #require(seen[position].id)
      for reader in [try client.events(lastID: id), try client.events("/views/main/events?after=\(id)")] {
        #expect(reader.read() == Array(seen[(position + 1)...]))
        reader.leave()
      }
    }
    #expect(try client.events("/views/main/events?after=1.9", lastID: "1.299").read().first?.id == "1.300")
    #expect(try client.events("/views/main/events?after=0").read().dropFirst() == seen[...])
    #expect(try client.events("/views/main/events?after=0").read().first?.description == "mount 1.0")
  }

  @Test
  func `the first client, connecting while an update is published, gets that event once and complete`() throws {
    let client = try Client()
    try client.mountCounter()
    let view = try #require(client.views["main"])
    let events = MirrorSupport.Guarded<EventReader?>(nil)
    let subscription = view.publishers.subscribe(to: NodeRef(epoch: 1, number: 2)) { _ in
      let reader = try? client.events("/views/main/events?after=1.0")
      events.withLock { $0 = reader }
    }
    let posted = try client.post("/views/main/diffs", #"{"0":"1"}"#).json
    subscription.cancel()
    try client.count(2)
    let messages = try #require(events.current).read()
    #expect(messages.map(\.description) == ["change 1.1", "change 1.2"])
    #expect(messages.first?.json["isolation"] == posted["isolation"])
    #expect(messages.first?.json["timings"] == posted["timings"])
  }

  @Test
  func `a client that reconnects after a remount also gets the events before the remount`() throws {
    let client = try Client()
    try client.mountCounter()
    let all = try client.events()
    let away = try client.events()
    try client.count(1)
    #expect(away.read().last?.id == "1.1")
    away.leave()
    for _ in 1...3 {
      try client.count(2)
      try client.sendNonsense()
      try client.mountCounter()
      try client.count(1)
    }
    let back = try client.events(lastID: "1.1")
    #expect(back.read() == Array(all.read().dropFirst()))
  }

  @Test(
    arguments: [("1.0", "mounted anew"), ("2.2", "no such event yet"), ("7.0", "no such event yet")])
  func `a client that asks for unavailable events gets a reset event`(asked: String, reason: String) throws {
    let client = try Client()
    try client.mountCounter()
    try client.count(1)
    // No client has connected so far, so the remount discards the events of the first epoch.
    try client.mountCounter()
    try client.count(5)
    let events = try client.events(lastID: asked)
    let messages = events.read()
    #expect(messages.map(\.description) == ["reset 2.1"])
    #expect(
      messages.first?.json == JSONValue(["reason": reason, "from": asked, "oldest": "2.0", "version": "2.1"]))
    try client.count(6)
    #expect(events.read().map(\.description) == ["change 2.2"])
  }

  @Test(
    arguments: ["1.2.x", "x", "1.", "1.x", "-1.0", "0.1", "1.2.3.4", "1.02", "+1.0", "01"])
  func `an invalid event id gets a 400`(id: String) throws {
    let client = try Client()
    try client.mountCounter()
    #expect(client.refusal(of: "/views/main/events", lastID: id) == 400)
    #expect(client.events.clientCount == 0)
  }

  @Test
  func `a disconnected client is no longer counted, and a HEAD request is never counted`() throws {
    let client = try Client()
    try client.mountCounter()
    let (one, two) = (try client.events(), try client.events("/views/main/events?node=2"))
    #expect(client.events.clientCount == 2 && client.events.clientCount(of: "main") == 2)
    #expect(try client.send(.head, "/views/main/events?node=2", "").type == "text/event-stream")
    #expect(client.events.clientCount == 2)
    #expect(try client.get("/views/main/nodes/2").json["clients"].int == 1)
    two.leave()
    #expect(try client.get("/views/main/nodes/2").json["clients"].int == 0)
    one.leave()
    one.leave()
    #expect(client.events.clientCount == 0 && client.events.clientCount(of: "main") == 0)
    // A response that is released unsent, as if the client had disconnected.
    _ = try client.get("/views/main/events?node=2")
    #expect(try client.events.clientCount == 0 && client.get("/views/main/nodes/2").json["clients"].int == 0)
  }

  @Test
  func `an entry is encoded once, and all clients share its bytes`() throws {
    let client = try Client()
    try client.mountCounter()
    let streams = try (0..<3).map { _ in try client.events() }
    for stream in streams { _ = stream.read() }
    try client.count(1)
    let places = streams.map { reader -> UnsafeRawPointer? in
      guard case .bytes(let bytes) = reader.stream.take() else { return nil }
      return bytes.withUnsafeBytes { $0.baseAddress }
    }
    #expect(Set(places).count == 1 && places[0] != nil)
  }

  @Test
  func `a client that reads nothing is disconnected, and other clients are not affected`() throws {
    let client = try Client()
    try client.mountCounter()
    let (stuck, reader) = (try client.events(), try client.events())
    let text = String(repeating: "x", count: 100_000)
    var seen = 0
    for number in 1...30 {
      #expect(try client.post("/views/main/diffs", #"{"e":[["\#(text)",{}]],"0":"\#(number)"}"#).status == 200)
      seen += reader.read().count
    }
    #expect(seen == 30 && client.events.clientCount == 1)
    _ = stuck.read()
    #expect(stuck.isAtEnd)
  }

  @Test
  func `deleting a view closes its streams with the reason, and its event ids are no longer valid`() throws {
    let client = try Client()
    try client.mountCounter()
    try client.mountCounter("other")
    let (whole, node) = (try client.events(), try client.events("/views/main/events?node=2"))
    let other = try client.events("/views/other/events")
    #expect(try client.send(.delete, "/views/main", "").status == 204)
    for events in [whole, node] {
      #expect(events.read().map { "\($0.name) \($0.data)" } == [#"close {"reason":"deleted"}"#])
      #expect(events.isAtEnd && events.lastID.isEmpty)
    }
    #expect(other.read().isEmpty && !other.isAtEnd && client.events.clientCount == 1)
    #expect(client.refusal(of: "/views/main/events", lastID: "1.0") == 404)
    client.inspector.close()
    #expect(other.read().map(\.data) == [#"{"reason":"stopping"}"#])
    #expect(other.isAtEnd && other.lastID == "1.0")
    #expect(client.refusal(of: "/views/other/events") == 503)
  }

  @Test
  func `a client that connects while its view is deleted is refused, and leaves no subscription`() throws {
    let client = try Client()
    try client.mountCounter()
    let view = try #require(client.views["main"])
    // The view is removed after the request has looked it up.
    #expect(client.views.remove("main"))
    #expect(throws: EventHub.Refusal.removed) { try client.events.open(view, watching: nil, after: nil) }
    #expect(NodeWatch(NodeRef(epoch: 1, number: 2), in: view) == nil)
    #expect(client.events.clientCount == 0 && client.events.clientCountByView.isEmpty)
    #expect(view.publishers.counts().isEmpty)
  }

  @Test
  func `a client above the limit gets a 503 with Retry-After`() throws {
    let client = try Client(events: EventHub(clients: 2))
    try client.mountCounter()
    let (one, two) = (try client.events(), try client.events())
    let answer = try client.get("/views/main/events?node=2")
    #expect(answer.status == 503 && answer.response.headers["Retry-After"] != nil)
    #expect(try client.get("/views/main/nodes/2").json["clients"].int == 0)
    one.leave()
    _ = try client.events()
    withExtendedLifetime(two) {}
  }

  @Test
  func `a stream of a node has exactly the events that notify the node, and closes when the node is removed`() throws {
    let client = try Client()
    #expect(
      try client.post("/views/main/rendered", #"{"s":["<p>","</p><ul>","</ul>"],"0":"a","1":"<li>b</li>"}"#).status
        == 201)
    let document = try #require(client.views["main"]?.document)
    let nodes = document.children(of: document.root)
    let events = try nodes.map { try client.events("/views/main/events?node=\($0)") }
    let item = try client.events("/views/main/events?node=\(document.children(of: nodes[1])[0])")
    for diff in [#"{"0":"b"}"#, #"{"1":"<li>c</li>"}"#, #"{"0":"c","1":"<li>d</li><li>e</li>"}"#, #"{"9":"x"}"#] {
      _ = try client.post("/views/main/diffs", diff)
    }
    for (node, events) in zip(nodes, events) {
      let log = try #require(client.views["main"]?.log).last(.max).compactMap { entry -> String? in
        guard let record = entry.record, record.version > 0, record.notified.contains(node) else { return nil }
        return "1.\(entry.cursor)"
      }
      let received = events.read()
      #expect(received.map(\.id) == log)
      let again = try client.events("/views/main/events?node=\(node)&after=1.0")
      #expect(again.read() == received)
      #expect(try client.get("/views/main/nodes/\(node)").json["clients"].int == 2)
      again.leave()
    }
    _ = try client.post("/views/main/diffs", #"{"1":""}"#)
    #expect(item.read().last?.data == #"{"reason":"node removed"}"# && item.isAtEnd)
    #expect(client.refusal(of: "/views/main/events?node=\(document.children(of: nodes[1])[0])") == 404)
    try client.mountCounter()
    #expect(events.allSatisfy { $0.read().last?.data == #"{"reason":"node removed"}"# && $0.isAtEnd })
    #expect(client.refusal(of: "/views/main/events?node=2", lastID: "1.4") == 404)
    #expect(client.refusal(of: "/views/main/events?node=x") == 404)
  }
}
