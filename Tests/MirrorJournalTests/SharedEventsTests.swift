import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorSupport
import Testing

/// Event streams, subscriptions and pushes of several mirrors with one journal.
@Suite struct SharedEventsTests {
  @Test(arguments: SharedKind.allCases)
  func `a stream shows the changes of all mirrors in order`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let reader = try mirrors[1].events("/views/main/events")
    for number in 1...30 { #expect(try mirrors[number].post("/views/main/diffs", #"{"0":"\#(number)"}"#) == 200) }
    #expect(reader.ids(until: "1.30") == (0...30).map { "1.\($0)" })
    #expect(try mirrors[0].post("/views/main/rendered", SharedMirrors.counter) == 200)
    #expect(reader.ids(until: "2.0").last == "2.0")
    #expect(try mirrors[2].send(.delete, "/views/main", []).status.code == 204)
    reader.read { $0.contains("event: close") }
    #expect(reader.text.contains("event: close"))
  }

  /// Writers at all mirrors, and clients that move from mirror to mirror.
  @Test(arguments: SharedKind.allCases)
  func `each client sees each event once, at whichever mirror`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let (writers, each, clients) = (4, 30, 6)
    let last = "1.\(writers * each)"
    let seen = Guarded<[[String]]>([])
    inThreads(writers + clients) { index in
      do {
        if index < writers {
          for number in 0..<each {
            let code = try mirrors[index + number].post("/views/main/diffs", #"{"0":"\#(index)-\#(number)"}"#)
            #expect(code == 200)
          }
        } else {
          var ids: [String] = []
          var mirror = index
          let deadline = ContinuousClock.now + .seconds(120)
          while ids.last != last, .now < deadline {
            let node = index % 2 == 0 ? "?node=2" : ""
            let reader = try mirrors[mirror].events("/views/main/events\(node)", after: ids.last ?? "1.0")
            ids += reader.ids(until: last, within: .milliseconds(.random(in: 1...40)))
            reader.leave()
            mirror += 1
          }
          seen.withLock { $0.append(ids) }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(mirrors.conflicts != 0)
    for ids in seen.current { #expect(ids == (1...(writers * each)).map { "1.\($0)" }) }
  }

  @Test(arguments: SharedKind.allCases)
  func `all streams end when mirrors remove a view at the same time`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    for round in 0..<10 {
      let view = "/views/v\(round)"
      try mirrors[round].post("\(view)/rendered", SharedMirrors.counter)
      let readers = try mirrors.all.map { try $0.events("\(view)/events") }
      DispatchQueue.concurrentPerform(iterations: 3) { mirror in
        if mirror < 2 {
          _ = try? mirrors[mirror].send(.delete, view, [])
        } else {
          _ = try? mirrors[mirror].post("\(view)/diffs", #"{"0":"1"}"#)
        }
      }
      for (number, reader) in readers.enumerated() {
        reader.read { $0.contains("event: close") }
        #expect(reader.text.contains("event: close"), "round \(round), mirror \(number)")
      }
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `a subscription is found at any mirror, and counts the changes of all`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let created = try mirrors[0].send(.post, "/views/main/subscriptions", #"{"node":2}"#.utf8)
    #expect(created.status.code == 201)
    let path = try #require(created.headers["Location"])
    for number in 1...6 { try mirrors[number].post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
    for mirror in mirrors.all {
      mirrors[0].views.catchUp()
      #expect(try mirror.text(path).contains(#""notified":6"#))
      #expect(try mirror.text("/views/main/subscriptions").contains(#""notified":6"#))
    }
    #expect(try mirrors[2].send(.delete, path, []).status.code == 204)
    for mirror in mirrors.all { #expect(try mirror.send(.get, path, []).status.code == 404) }
  }

  @Test func `a client of a view that was removed and mounted again elsewhere is told to begin anew`() throws {
    for isLoaded in [true, false] {
      let mirrors = try SharedMirrors(.memory)
      try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
      for number in 1...2 { try mirrors[0].post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
      let reader = try mirrors[0].events("/views/main/events", after: "1.0")
      #expect(reader.ids(until: "1.2") == ["1.1", "1.2"])
      if !isLoaded {
        reader.leave()
        #expect(mirrors[0].views.unloadIdle(for: .zero) == 1)
      }
      mirrors.setDeaf(true, 0)
      #expect(try mirrors[1].send(.delete, "/views/main", []).status.code == 204)
      try mirrors[1].post("/views/main/rendered", SharedMirrors.counter)
      for number in 1...5 { try mirrors[1].post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
      mirrors.setDeaf(false, 0)
      mirrors[0].views.catchUp()
      if isLoaded {
        reader.read { $0.contains("event: close") }
        #expect(reader.text.contains("event: close"))
      }
      let next = try mirrors[0].events("/views/main/events", after: "1.2")
      next.read { $0.contains("event: reset") }
      #expect(next.text.contains("event: reset"))
      next.leave()
      try mirrors.agree()
    }
  }

  @Test func `a client of a view that another mirror mounts at a stated epoch continues`() throws {
    let mirrors = try SharedMirrors(.memory)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let reader = try mirrors[0].events("/views/main/events", after: "1.0")
    let line = #"{"view":"main","epoch":7,"rendered":{"0":"0","s":["<p>Count: ","</p>"]}}"#
    #expect(try mirrors[1].post("/frames", line) == 200)
    #expect(reader.ids(until: "7.0") == ["7.0"])
    #expect(!reader.text.contains("event: close"))
    reader.leave()
    try mirrors.agree()
  }

  @Test func `the subscriptions of a view end that another mirror removes while it is not loaded`() throws {
    let mirrors = try SharedMirrors(.memory)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    #expect(try mirrors[0].send(.post, "/views/main/subscriptions", #"{"node":2}"#.utf8).status.code == 201)
    mirrors.refuse("main")
    #expect(try mirrors[0].post("/views/main/diffs", #"{"0":"1"}"#) == 503)
    #expect(mirrors[0].views.loadedViews == [])
    mirrors.refuse(nil)
    #expect(try mirrors[1].send(.delete, "/views/main", []).status.code == 204)
    mirrors[0].views.catchUp()
    try mirrors[1].post("/views/main/rendered", SharedMirrors.counter)
    #expect(try mirrors[0].text("/views/main/subscriptions").contains(#""subscriptions":[]"#))
    #expect(try mirrors[0].text("/views/main/subscribers").contains(#""subscriptions":0"#))
  }

  @Test(arguments: SharedKind.allCases)
  func `a carrier that connects to another mirror replaces the earlier one`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    #expect(try mirrors[0].post("/pages/tab", #"{"carrier":true}"#) == 201)
    let first = try mirrors[0].events("/pages/tab/pushes")
    usleep(2_000)
    let second = try mirrors[1].events("/pages/tab/pushes")
    first.read { _ in false }
    #expect(first.hasEnded)
    second.read(within: .milliseconds(600)) { _ in false }
    #expect(!second.hasEnded)
    // The message of an earlier carrier can arrive late.
    mirrors[2].views.notifyPeers("carrier", "1000 tab")
    second.read(within: .milliseconds(200)) { _ in false }
    #expect(!second.hasEnded)
    mirrors[2].views.notifyPeers("carrier", "\(WallClock.system.now() + 1_000) tab")
    second.read { _ in false }
    #expect(second.hasEnded)
  }

  @Test(arguments: SharedKind.allCases)
  func `what was typed into a field by one mirror is sent by another`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let form = "<form id='f' phx-change='c'><input name='a' value='1'><input name='b'></form>"
    for line in [
      #"["1","1","lv:r","phx_join",{}]"#,
      #"["1","1","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"s":["\#(form)"]}}}]"#,
    ] { #expect(try mirrors[0].post("/frames?page=p", line) == 200) }
    let carrier = try mirrors[1].events("/pages/p/pushes")
    let push = "/views/lv:r~p/push?wait=0"
    _ = try mirrors[2].send(
      .post, push, ##"{"selector":"#f [name=a]","event":"change","value":{"value":"x"}}"##.utf8)
    _ = try mirrors[0].send(
      .post, push, ##"{"selector":"#f [name=b]","event":"change","value":{"value":"y"}}"##.utf8)
    carrier.read { $0.contains("b=y") }
    #expect(carrier.text.contains("a=x&b=y"))
  }

  @Test(arguments: SharedKind.allCases)
  func `a push reaches the carrier at another mirror, and its answer comes back`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let lines = [
      #"["1","1","lv:phx-1","phx_join",{}]"#,
      #"["1","1","lv:phx-1","phx_reply",{"status":"ok","response":{"rendered":{"s":["<p>a</p>"]}}}]"#,
    ]
    for line in lines { #expect(try mirrors[0].post("/frames?page=tab", line) == 200) }
    #expect(try mirrors[0].post("/pages/tab", #"{"carrier":true}"#) == 200)
    let carrier = try mirrors[1].events("/pages/tab/pushes")
    let answers = Guarded<[HTTPResponse]>([])
    let thread = Thread {
      let answer = try? mirrors[2].send(.post, "/views/lv:phx-1~tab/push?wait=50", #"{"event":"inc","value":{}}"#.utf8)
      answers.withLock { $0 += answer.map { [$0] } ?? [] }
    }
    thread.start()
    carrier.read { $0.contains("event: push") }
    #expect(carrier.text.contains(#""topic":"lv:phx-1""#))
    // The carrier sends the event, and feeds it and its answer to a third mirror.
    let event = #"["1","2","lv:phx-1","event",{"type":"hook","event":"inc","value":{}}]"#
    let pushed = carrier.text.contains(#""type":"hook""#)
    for line in [
      event.replacing("hook", with: pushed ? "hook" : "click"),
      #"["1","2","lv:phx-1","phx_reply",{"status":"ok","response":{"diff":{"t":"Title"}}}]"#,
    ] { #expect(try mirrors[0].post("/frames?page=tab", line) == 200) }
    let deadline = ContinuousClock.now + .seconds(60)
    while answers.withLock({ $0.isEmpty }), .now < deadline { usleep(5_000) }
    let answer = try #require(answers.withLock { $0.first })
    #expect(answer.status.code == 200, "\(String(decoding: answer.bytes, as: UTF8.self)) \(carrier.text)")
    // Without a carrier, no mirror takes it.
    carrier.leave()
    let refused = try mirrors[2].send(.post, "/views/lv:phx-1~tab/push?wait=1", #"{"event":"inc","value":{}}"#.utf8)
    #expect(refused.status.code == 409)
  }
}

/// Reads a stream of events without a socket.
final class StreamReader {
  private let stream: HTTPStream
  private(set) var text = ""
  private(set) var hasEnded = false

  init(_ stream: HTTPStream) { self.stream = stream }

  /// Reads until a condition is met, the stream ends, or the time is over.
  func read(within time: Duration = .seconds(60), until isDone: (String) -> Bool) {
    let deadline = ContinuousClock.now + time
    while !isDone(text), .now < deadline {
      switch stream.take() {
      case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .wait: usleep(1_000)
      case .end:
        hasEnded = true
        return
      }
    }
  }

  /// The ids of the events up to one of them.
  func ids(until last: String, within time: Duration = .seconds(60)) -> [String] {
    read(within: time) { $0.contains("id: \(last)\n") }
    return text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  func leave() { stream.close(.disconnected) }
}

extension JournaledMirror {
  /// - Parameter last: the `Last-Event-ID` of a client that reconnects.
  func events(_ target: String, after last: String? = nil) throws -> StreamReader {
    let response = try send(.get, target, [], headers: last.map { ["Last-Event-ID": $0] } ?? [:])
    guard case .stream(let stream) = response.body else {
      throw Refused(text: String(decoding: response.bytes, as: UTF8.self))
    }
    return StreamReader(stream)
  }
}

private struct Refused: Error {
  var text: String
}
