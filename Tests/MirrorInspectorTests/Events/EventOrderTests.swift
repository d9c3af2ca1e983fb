import LiveViewMirror
import MicroHTTP
import Testing

@testable import MirrorInspector

/// Each client receives each event once and in order, even if it disconnects and reconnects.
@Suite struct EventOrderTests {
  /// A client that disconnects, and reconnects with the id of the last event that it read.
  private struct Visitor {
    var reader: EventReader?
    var received: [String] = []
    var lastID = ""
    /// The number of published events that the client has not subscribed to.
    var from: Int
  }

  @Test(
    arguments: 0..<40)
  func `clients that disconnect and reconnect at random receive every event once and in order`(
    seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    let client = try Client()
    try client.mountCounter()
    let witness = try client.events()
    var published: [String] = []
    var visitors = try (0..<6).map { _ in
      let reader = try client.events()
      _ = reader.read()
      return Visitor(reader: reader, lastID: reader.lastID, from: 0)
    }
    for step in 0..<150 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: try client.mountCounter()
      case 1...3: try client.sendNonsense()
      default: try client.count(step)
      }
      published += witness.read().compactMap(\.id)
      #expect(published.count == step + 1)
      for index in visitors.indices {
        if let reader = visitors[index].reader {
          switch Int.random(in: 0..<8, using: &random) {
          case 0:
            // The client disconnects after it has read some of the buffered events. The others are
            // lost in transit.
            visitors[index].received += reader.read(pieces: Int.random(in: 0..<4, using: &random)).compactMap(\.id)
            reader.leave()
            visitors[index].lastID = reader.lastID.isEmpty ? visitors[index].lastID : reader.lastID
            visitors[index].reader = nil
          case 1...4: visitors[index].received += reader.read().compactMap(\.id)
          default: break
          }
        } else if Int.random(in: 0..<3, using: &random) == 0 {
          visitors[index].reader = try client.events(lastID: visitors[index].lastID)
        }
      }
    }
    for var visitor in visitors {
      let reader = try visitor.reader ?? client.events(lastID: visitor.lastID)
      visitor.received += reader.read().compactMap(\.id)
      #expect(visitor.received == published)
    }
  }

  @Test
  func `streams receive all events of their view in order while four threads update the views`() async throws {
    let client = try Client()
    let views = ["a", "b", "c", "d"]
    for view in views { try client.mountCounter(view) }
    let whole = try (0..<50).map { index in
      let view = views[index % 4]
      return (view, try client.events("/views/\(view)/events"))
    }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            // All threads update the first view, and each thread also updates its own.
            _ = try? client.post("/views/a/diffs", #"{"0":"\#(writer)-\#(number)"}"#)
            _ = try? client.post("/views/\(views[writer])/diffs", #"{"0":"\#(number)"}"#)
            if number % 25 == 10 { _ = try? client.post("/views/\(views[writer])/diffs", #"{"9":"x"}"#) }
          }
        }
      }
      // Meanwhile, other clients connect with a starting id, read, and disconnect.
      group.addTask {
        for number in 0..<200 {
          guard let reader = try? client.events("/views/a/events?after=0") else { continue }
          let ids = reader.read().compactMap { message in message.id.flatMap { EventID($0, in: 0) } }
          if ids != ids.sorted() || Set(ids).count != ids.count { Issue.record("\(number): \(ids)") }
          reader.leave()
        }
      }
    }
    for (view, reader) in whole {
      let log = try #require(client.views[view]?.log).last(.max).dropFirst().map { "1.\($0.cursor)" }
      #expect(reader.read().compactMap(\.id) == log)
    }
    #expect(client.events.clientCount == 50)
  }

  @Test
  func `the tail keeps the newest events within its bounds, and gives nil for evicted ones`() throws {
    let view = try SampleView.counter(diffs: (1...400).map { #"{"0":"\#($0)"}"# })
    let events = view.log.last(.max).map { Event($0) }
    var tail = EventTail(after: events[0].id, keeping: 4_096)
    for (count, event) in events.enumerated().dropFirst() {
      tail.append(event)
      #expect(tail.events.count <= EventTail.largestCount)
      #expect(tail.events.reduce(0) { $0 + $1.bytes.count } <= tail.limit)
      for asked in stride(from: 0, through: count, by: 37) {
        let after = tail.events(after: events[asked].id)
        if let after {
          #expect(after.map(\.id) == events[...count].dropFirst(asked + 1).map(\.id))
        } else {
          #expect(events[asked].id < tail.lost)
        }
      }
      #expect(tail.events(after: event.id)?.isEmpty == true)
    }
    #expect(tail.events(after: events[0].id) == nil)
  }
}

/// A seeded random number generator, so that each run has the same numbers.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
