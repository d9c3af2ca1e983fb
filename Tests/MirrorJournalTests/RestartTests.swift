import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorSupport
import RecordingFixtures
import Testing

/// After a restart, everything that a person can read is what it was, byte for byte.
@Suite struct RestartTests {
  private static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

  @Test(arguments: StoreKind.allCases)
  func `a view exists after a restart, with its log`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let before = try reading(place) { mirror in
      try #expect(mirror.post("/views/counter/rendered", Self.counter) == 201)
      for count in 1...5 { try #expect(mirror.post("/views/counter/diffs", #"{"0":"\#(count)"}"#) == 200) }
      try #expect(mirror.post("/views/counter/diffs", #"{"7":"x"}"#) == 422)
    }
    let after = try reading(place) { _ in }
    #expect(before["/views/counter/log?epoch=1&limit=200"]?.contains("rejected") == true)
    let change = difference(before, after)
    #expect(change == nil)
    // It continues where it was.
    try reading(place) { mirror in
      try #expect(mirror.post("/views/counter/diffs", #"{"0":"6"}"#) == 200)
      #expect(mirror.views["counter"]?.view?.version == 6)
    }
  }

  /// A mount needs the state before it, which the last snapshot may be already.
  @Test(arguments: StoreKind.allCases)
  func `a mount directly after a snapshot`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let before = try reading(place) { mirror in
      for mount in 1...2 {
        try #expect(mirror.post("/views/counter/rendered", Self.counter) == (mount == 1 ? 201 : 200))
        // The 128th entry since the last snapshot makes the next one.
        for count in 1...127 { try #expect(mirror.post("/views/counter/diffs", #"{"0":"\#(count)"}"#) == 200) }
      }
      try #expect(mirror.post("/views/counter/rendered", Self.counter) == 200)
    }
    let change = try difference(before, reading(place) { _ in })
    #expect(change == nil)
  }

  /// A transaction of PostgreSQL cannot write two states with the same number.
  @Test(arguments: StoreKind.allCases)
  func `a mount whose entry is written together with a snapshot`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let store = SlowStore(try place.open())
    let mirror = try JournaledMirror(store)
    try #expect(mirror.post("/views/counter/rendered", Self.counter) == 201)
    // With the mount, the next diff is the 128th entry, which makes a snapshot.
    for count in 1...126 { try #expect(mirror.post("/views/counter/diffs", #"{"0":"\#(count)"}"#) == 200) }
    store.isBlocked.change { $0 = true }
    _ = try mirror.send(.post, "/views/counter/diffs", #"{"0":"127"}"#.utf8, deferring: true)
    let status = Guarded(0)
    Thread {
      let code = try? mirror.post("/views/counter/rendered", Self.counter)
      status.change { $0 = code ?? -1 }
    }
    .start()
    for _ in 0..<6_000 where mirror.views["counter"]?.view?.epoch != 2 { Thread.sleep(forTimeInterval: 0.01) }
    store.isBlocked.change { $0 = false }
    #expect(status.wait(until: .now + .seconds(60)) { $0 != 0 })
    #expect(status.current == 200)
    let before = try mirror.everything()
    mirror.stop()
    let change = try difference(before, reading(place) { _ in })
    #expect(change == nil)
  }

  @Test(arguments: StoreKind.allCases, Recording.committed)
  func `every recording is the same after a restart`(kind: StoreKind, recording: Recording) throws {
    let place = try JournalPlace(kind)
    let lines = try TimedTraffic(recording).lines.split(separator: "\n")
    // Two restarts on the way: the first half, a third quarter, the rest.
    var reached: [String: String] = [:]
    for part in [
      lines[..<(lines.count / 2)], lines[(lines.count / 2)..<(lines.count * 3 / 4)], lines[(lines.count * 3 / 4)...],
    ] {
      let mirror = try JournaledMirror(place.open())
      if !reached.isEmpty {
        let change = try difference(reached, mirror.everything())
        #expect(change == nil)
      }
      let dialect = recording.isNative ? "native" : "html"
      if !part.isEmpty {
        let answer = try mirror.post("/frames?page=tab&dialect=\(dialect)", part.joined(separator: "\n") + "\n")
        #expect(answer == 200)
      }
      reached = try mirror.everything()
      mirror.stop()
    }
    let last = try JournaledMirror(place.open())
    let change = try difference(reached, last.everything())
    #expect(change == nil)
    last.stop()
  }

  @discardableResult
  private func reading(_ place: JournalPlace, _ body: (JournaledMirror) throws -> Void) throws -> [String: String] {
    let mirror = try JournaledMirror(place.open())
    try body(mirror)
    let all = try mirror.everything()
    mirror.stop()
    return all
  }
}
