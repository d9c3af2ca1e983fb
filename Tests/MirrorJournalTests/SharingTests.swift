import Foundation
import MirrorSupport
import RecordingFixtures
import Testing

@testable import LiveViewMirror
@testable import MicroHTTP

/// Several mirrors with one journal behave as one.
@Suite struct SharingTests {
  @Test(arguments: SharedKind.allCases)
  func `each mirror accepts each diff, and shows it at once`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    #expect(try mirrors[0].post("/views/main/rendered", SharedMirrors.counter) == 201)
    for number in 1...9 {
      let answer = try mirrors[number].send(.post, "/views/main/diffs", #"{"0":"\#(number)"}"#.utf8)
      #expect(answer.status.code == 200)
      #expect(String(decoding: answer.bytes, as: UTF8.self).contains(#""version":\#(number)"#))
      for mirror in mirrors.all { #expect(try mirror.text("/views/main/html").contains("Count: \(number)")) }
    }
    #expect(try mirrors[2].post("/views/main/rendered", SharedMirrors.counter) == 200)
    try mirrors.agree()
    #expect(mirrors[1].views["main"]?.view?.epoch == 2)
  }

  @Test(arguments: SharedKind.allCases)
  func `mirrors that change one view at the same time lose nothing`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    let (writers, each) = (6, 40)
    inThreads(writers) { writer in
      for number in 0..<each {
        let code = try? mirrors[writer + number].post("/views/main/diffs", #"{"0":"\#(writer)-\#(number)"}"#)
        #expect(code == 200)
      }
    }
    #expect(mirrors.conflicts != 0)
    #expect(mirrors[0].views["main"]?.view?.version ?? 0 <= writers * each)
    for mirror in mirrors.all { mirror.views.catchUp() }
    #expect(mirrors[1].views["main"]?.view?.version == writers * each)
    try mirrors.agree()
  }

  @Test(arguments: SharedKind.allCases)
  func `a view that two mirrors mount at the same time is mounted twice`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    for round in 0..<20 {
      DispatchQueue.concurrentPerform(iterations: 3) { mirror in
        let code = try? mirrors[mirror].post("/views/v\(round)/rendered", SharedMirrors.counter)
        #expect(code == 200 || code == 201)
      }
      for mirror in mirrors.all {
        mirror.views.catchUp()
        #expect(mirror.views["v\(round)"]?.view?.epoch == 3)
      }
    }
    try mirrors.agree()
  }

  @Test(arguments: SharedKind.allCases)
  func `a removed view is gone on all mirrors, and continues with the next epoch`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    for mirror in mirrors.all { #expect(try mirror.send(.get, "/views/main", []).status.code == 200) }
    #expect(try mirrors[1].send(.delete, "/views/main", []).status.code == 204)
    for mirror in mirrors.all { #expect(try mirror.send(.get, "/views/main", []).status.code == 404) }
    #expect(try mirrors[0].send(.delete, "/views/main", []).status.code == 404)
    #expect(try mirrors[2].post("/views/main/rendered", SharedMirrors.counter) == 201)
    for mirror in mirrors.all { #expect(try mirror.text("/views/main").contains(#""epoch":2"#)) }
    try mirrors.agree()
  }

  @Test(arguments: SharedKind.allCases)
  func `a view that is changed by one mirror can be removed by another`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    let (isDone, writers) = (Guarded(false), Guarded(2))
    for mirror in 0..<2 {
      let writer = Thread {
        var number = 0
        while !isDone.current {
          number += 1
          let answer = try? mirrors[mirror].send(.post, "/views/main/diffs", #"{"0":"\#(number)"}"#.utf8)
          let text = String(decoding: answer?.bytes ?? [], as: UTF8.self)
          #expect([200, 404].contains(answer?.status.code), "\(text)")
        }
        writers.change { $0 -= 1 }
      }
      writer.start()
    }
    for _ in 0..<20 {
      #expect(try mirrors[2].post("/views/main/rendered", SharedMirrors.counter) == 201)
      usleep(.random(in: 0...20_000))
      #expect(try mirrors[2].send(.delete, "/views/main", []).status.code == 204)
    }
    isDone.withLock { $0 = true }
    _ = writers.wait(until: .now + .seconds(60)) { $0 == 0 }
    for mirror in mirrors.all { mirror.views.catchUp() }
    try mirrors.agree()
  }

  @Test func `a mirror that cannot read the journal refuses input of which it does not know the view`() throws {
    let mirrors = try SharedMirrors(.memory)
    mirrors.setDeaf(true, 0)
    try mirrors[1].post("/views/main/rendered", SharedMirrors.counter)
    mirrors.setUnreadable(true, 0)
    #expect(try mirrors[0].post("/views/main/diffs", #"{"0":"1"}"#) == 503)
    #expect(try mirrors[0].post("/views/main/rendered", SharedMirrors.counter) == 503)
    #expect(try mirrors[0].post("/frames?page=p", #"["1","1","lv:a","phx_join",{}]"#) == 503)
    mirrors.setUnreadable(false, 0)
    #expect(try mirrors[0].post("/views/main/diffs", #"{"0":"1"}"#) == 200)
    // It knows what another one has mounted, so there is no conflict.
    #expect(mirrors.conflicts == 0)
    mirrors.setDeaf(false, 0)
    try mirrors.agree()
  }

  @Test func `a view whose removal conflicts and that cannot be read is not answered as removed`() throws {
    let mirrors = try SharedMirrors(.memory)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    mirrors.refuse("main")
    mirrors.setUnreadable(true, 0)
    #expect(try mirrors[0].send(.delete, "/views/main", []).status.code == 503)
    mirrors.refuse(nil)
    mirrors.setUnreadable(false, 0)
    var code = 503
    for _ in 0..<1_000 where code != 200 {
      usleep(50_000)
      code = try mirrors[0].post("/views/main/diffs", #"{"0":"1"}"#)
    }
    #expect(code == 200)
    try mirrors.agree()
  }

  /// A mirror that does not win against the others refuses the frames, and accepts them when the
  /// feed sends them again.
  @Test func `frames that were not kept are not counted as received`() throws {
    let mirrors = try SharedMirrors(.memory)
    let lines = [
      #"["1","1","lv:a","phx_join",{}]"#,
      #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#,
      #"["1",null,"lv:a","diff",{"0":"1"}]"#,
    ]
    let target = "/frames?page=tab"
    #expect(try mirrors[0].post(target, lines[0]) == 200)
    #expect(try mirrors[0].post(target, lines[1]) == 200)
    mirrors.refuse("lv:a~tab")
    let refused = try mirrors[0].send(.post, target, lines[2].utf8)
    #expect(refused.status.code == 503)
    #expect(refused.headers["Retry-After"] != nil)
    mirrors.refuse(nil)
    let answer = try mirrors[0].send(.post, target, lines[2].utf8)
    #expect(String(decoding: answer.bytes, as: UTF8.self).contains(#""applied":1"#))
    try mirrors.agree()
  }

  /// A proxy sends a body to the next mirror if the first one does not answer in time.
  @Test(arguments: SharedKind.allCases)
  func `numbered frames that two mirrors receive at the same time are applied once`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    for round in 0..<4 {
      let diffs = (1...120).map { #"["1",null,"lv:a","diff",{"0":"\#($0)"}]"# }
      let body =
        ([
          #"["1","1","lv:a","phx_join",{}]"#,
          #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#,
        ] + diffs).joined(separator: "\n")
      inThreads(3) { number in
        usleep(UInt32(number * round * 20_000))
        #expect((try? mirrors[number + round].post("/frames?page=tab\(round)&first=0", body)) == 200)
      }
      for mirror in mirrors.all {
        mirror.views.catchUp()
        let view = mirror.views["lv:a~tab\(round)"]?.view
        #expect(view?.version == 120 && view?.epoch == 1, "round \(round): \(view?.version ?? -1) \(view?.epoch ?? -1)")
      }
    }
    try mirrors.agree()
  }

  @Test(arguments: SharedKind.allCases)
  func `frames of one view that mirrors receive at the same time are all applied`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    let join = #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#
    try mirrors[0].post("/frames?page=tab", join)
    let (writers, inputs, each) = (3, 6, 8)
    inThreads(writers) { writer in
      for input in 0..<inputs {
        let frames = (0..<each).map { #"["1",null,"lv:a","diff",{"0":"\#(writer)-\#(input)-\#($0)"}]"# }
        let answer = try? mirrors[writer].send(.post, "/frames?page=tab", frames.joined(separator: "\n").utf8)
        #expect(answer.map { String(decoding: $0.bytes, as: UTF8.self).contains(#""applied":\#(each)"#) } == true)
      }
    }
    for mirror in mirrors.all { mirror.views.catchUp() }
    #expect(mirrors[1].views["lv:a~tab"]?.view?.version == writers * inputs * each)
    #expect(mirrors.conflicts != 0)
    try mirrors.agree()
  }

  /// Each frame is written before the next one is applied, so that another mirror may change its
  /// view meanwhile. No thread waits for that.
  @Test func `no handler waits while frames, a mount and a removal are written`() throws {
    let slow = SharedMemory().store()
    let mirror = try JournaledMirror(slow)
    defer { mirror.stop() }
    try mirror.post("/views/main/rendered", SharedMirrors.counter)
    try mirror.post("/frames?page=p&first=0", FailureTests.frames)
    slow.isBlocked.change { $0 = true }
    let inputs: [(HTTPMethod, String, String)] = [
      (.post, "/frames?page=q&first=0", FailureTests.frames), (.post, "/views/other/rendered", SharedMirrors.counter),
      (.delete, "/views/main", ""), (.delete, "/pages/p", ""),
    ]
    let answers = try inputs.map { method, target, body in
      let answer = try mirror.send(method, target, body.utf8, deferring: true)
      return (try #require(answer.deferred, "\(target)"), target)
    }
    let done = Guarded<[String]>([])
    for (deferred, target) in answers { deferred.whenCompleted { _ in done.change { $0.append(target) } } }
    #expect(!done.wait(until: .now + .milliseconds(50)) { !$0.isEmpty })
    slow.isBlocked.change { $0 = false }
    #expect(done.wait(until: .now + .seconds(60)) { $0.count == 4 })
  }

  /// A proxy repeats a request on the same connection, or a feed does after a time-out.
  @Test func `an input of a page whose input before has paused gets its turn later, also if that is abandoned`() throws
  {
    let slow = SharedMemory().store()
    let mirror = try JournaledMirror(slow)
    defer { mirror.stop() }
    slow.isBlocked.change { $0 = true }
    var answers = try (0..<3).map { _ in
      try mirror.send(.post, "/frames?page=q&first=0", FailureTests.frames.utf8, deferring: true)
    }
    let turns = Guarded<[Int]>([])
    for (number, answer) in answers.enumerated() {
      try #require(answer.deferred).whenCompleted { _ in turns.change { $0.append(number) } }
    }
    slow.isBlocked.change { $0 = false }
    // The first continues after its first frame, and the others still wait for it.
    #expect(turns.wait(until: .now + .seconds(60)) { $0 == [0] })
    #expect(!turns.wait(until: .now + .milliseconds(50)) { $0 != [0] })
    answers.removeFirst()
    #expect(turns.wait(until: .now + .seconds(60)) { $0 == [0, 1] })
    answers.removeFirst()
    #expect(turns.wait(until: .now + .seconds(60)) { $0 == [0, 1, 2] })
  }

  @Test(arguments: SharedKind.allCases)
  func `a rejected diff is in the log of all mirrors`(kind: SharedKind) throws {
    let mirrors = try SharedMirrors(kind)
    try mirrors[0].post("/views/main/rendered", SharedMirrors.counter)
    #expect(try mirrors[1].post("/views/main/diffs", #"{"7":"1"}"#) == 422)
    #expect(try mirrors[2].post("/views/main/diffs", #"{"0":"1"}"#) == 200)
    for mirror in mirrors.all { #expect(try mirror.text("/views/main/log").contains(#""rejected":"#)) }
    try mirrors.agree()
  }

  @Test(arguments: Recording.committed)
  func `the frames of a recording may reach any mirror`(recording: Recording) throws {
    let mirrors = try SharedMirrors(.memory)
    let alone = try JournaledMirror(nil)
    for (number, line) in try TimedTraffic(recording).lines.split(separator: "\n").map(String.init).enumerated() {
      let target = "/frames?page=tab"
      let code = try mirrors[number * 7].post(target, line)
      #expect(try alone.post(target, line) == code)
    }
    try mirrors.agree(recording.name)
    for summary in alone.views.all {
      let path = "/views/\(summary.id)"
      for part in ["/tree", "/html", "/rendered"] {
        let difference = difference([part: try alone.text(path + part)], [part: try mirrors[1].text(path + part)])
        #expect(difference == nil)
      }
    }
  }

  @Test func `an input that arrives again later, at another mirror, does not move the page back`() throws {
    let mirrors = try SharedMirrors(.memory)
    let mount = #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#
    func move(_ number: Int) -> String {
      let response = #"{"diff":{"0":"\#(number)"},"live_patch":{"to":"/\#(number)","kind":"push"}}"#
      return #"["1","\#(number)","lv:a","phx_reply",{"status":"ok","response":\#(response)}]"#
    }
    #expect(try mirrors[0].post("/frames?page=p&first=0&url=http://app/0", mount) == 200)
    mirrors.setDeaf(true, 1)
    for number in 1...2 { #expect(try mirrors[0].post("/frames?page=p&first=\(number)", move(number)) == 200) }
    #expect(try mirrors[1].post("/frames?page=p&first=1", move(1)) == 200)
    #expect(mirrors[0].views["lv:a~p"]?.view?.version == 2)
    mirrors.setDeaf(false, 1)
    #expect(mirrors[0].views.catchUp() && mirrors[0].views.life(of: "lv:a~p").url == "http://app/2")
  }
}
