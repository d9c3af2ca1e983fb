import Foundation
import PostgresFixture
import RecordingFixtures
import Synchronization
import Testing

extension CommandSuite {
  /// Many clients of several mirrors, while mirrors are killed and PostgreSQL is restarted.
  @Suite(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)")) struct MirrorFaultTests {
    private static let views = (0..<10).map { "view-\($0)" }
    private static let (mirrors, writers, clients) = (3, 50, 60)

    /// What the clients of a run share.
    private final class Run: Sendable {
      let isOver = Mutex(false)
      /// The last event of each view, when nothing is written any more.
      let ends = Mutex([String: String]())
      let deadline = Mutex<ContinuousClock.Instant?>(nil)

      func end(of view: String) -> (id: String?, isLate: Bool) {
        let isLate = deadline.withLock { $0.map { $0 < .now } } ?? false
        return (ends.withLock { $0[view] }, isLate)
      }
    }

    @Test func `nothing is lost, and all mirrors are the same`() throws {
      // Not the common server, since it is restarted.
      let mirrors = try MirrorGroup(Self.mirrors, on: PostgresServer(), "--versions", "1000000", "--log-bytes", "4GiB")
      var random = SplitMix(state: 17)
      for view in Self.views {
        #expect(
          try mirrors.post(random.below(Self.mirrors), "/views/\(view)/rendered", MovingWriter.page).status == 201)
      }
      let node = try paragraph(mirrors)

      let run = Run()
      let ports = mirrors.ports
      let pause = TestEffort.count(150, long: 300)
      let writing = (0..<Self.writers).map { number in
        let writer = MovingWriter("w\(number)", views: Self.views, ports: ports, seed: random.next())
        return Working { writer.run(pausing: pause) { run.isOver.withLock { $0 } } }
      }
      let reading = (0..<Self.clients).map { number in
        let client = EventClient(
          Self.views[number % Self.views.count], node: number.isMultiple(of: 4) ? node : nil, ports: ports,
          seed: random.next())
        return Working { client.run { run.end(of: $0) } }
      }

      try disturb(mirrors, for: .seconds(TestEffort.count(15, long: 240)), &random)

      run.isOver.withLock { $0 = true }
      let written = try writing.map { try $0.value() }
      let logs = try Self.views.map { try log(of: $0, mirrors, 0) }
      run.deadline.withLock { $0 = .now + .seconds(60) }
      run.ends.withLock { ends in
        for (view, log) in zip(Self.views, logs) { ends[view] = "1.\(log.count - 1)" }
      }
      let read = try reading.map { try $0.value() }

      for (view, log) in zip(Self.views, logs) {
        check(log, of: view, written)
        check(read.filter { $0.view == view }, log)
      }
      try compare(mirrors)

      // The faults have reached the clients.
      #expect(written.reduce(0) { $0 + $1.repeats } > 0)
      #expect(read.reduce(0) { $0 + $1.connections } > 2 * Self.clients)
    }

    /// Kills one mirror after the other, and restarts PostgreSQL twice.
    private func disturb(_ mirrors: MirrorGroup, for time: Duration, _ random: inout SplitMix) throws {
      let start = ContinuousClock.now
      var stops: [(share: Double, stop: PostgresServer.Stop)] = [(0.35, .fast), (0.7, .crash)]
      var number = 0
      while ContinuousClock.now - start < time {
        Thread.sleep(for: .milliseconds(random.below(1_500) + 700))
        if let next = stops.first, ContinuousClock.now - start > time * next.share {
          stops.removeFirst()
          try mirrors.server.stop(next.stop)
          Thread.sleep(for: .milliseconds(random.below(1_000)))
          try mirrors.server.start()
        } else {
          try mirrors.restart(number % Self.mirrors, after: .milliseconds(random.below(300)))
          number += 1
        }
      }
      #expect(stops.isEmpty)
      // A mirror that has lost its connection is ready again without a restart.
      #expect(mirrors.wait(for: 200, at: "/healthz?ready"))
    }

    // MARK: - Checks

    /// Every diff that was answered is in the log, at its version and as it was answered; and no
    /// diff was applied more often than it was sent.
    private func check(_ log: [[String: Any]], of view: String, _ written: [MovingWriter.Result]) {
      #expect(written.flatMap(\.faults).isEmpty, "\(written.flatMap(\.faults).prefix(5))")
      #expect(log.indices.allSatisfy { log[$0]["version"] as? Int == $0 }, "\(view): the log has gaps")
      let marks = Self.marks(log)
      let lost = written.flatMap { $0.answers[view] ?? [:] }.filter { version, answer in
        guard log.indices.contains(version), let answered = Self.members(answer.json) else { return true }
        return marks[version] != answer.mark || Self.differs(log[version], from: answered)
      }
      #expect(lost.isEmpty, "\(view): \(lost.count) answered diffs, such as \(lost.first.map { "\($0)" } ?? "")")
      let applied = Dictionary(marks.dropFirst().map { ($0, 1) }, uniquingKeysWith: +)
      let sent = Dictionary(uniqueKeysWithValues: written.flatMap { $0.sendings.map { ($0.mark, $0.count) } })
      let tooOften = applied.filter { $0.value > sent[$0.key] ?? 0 }
      #expect(tooOften.isEmpty, "\(view): \(tooOften.prefix(3))")
    }

    /// Each client has received every event of its view or node, once and in order.
    private func check(_ clients: [EventClient.Result], _ log: [[String: Any]]) {
      var bodies: [String: String] = [:]
      for client in clients {
        let name = "\(client.view)\(client.node.map { " node \($0)" } ?? "")"
        #expect(client.others.isEmpty, "\(name): \(client.others.prefix(3))")
        let expected = log.indices.filter { version in
          guard let node = client.node, version > 0 else { return true }
          return (log[version]["notified"] as? [Int])?.contains(node) == true
        }.map { "1.\($0)" }
        let ids = client.events.map(\.id)
        let fault = zip(ids, expected).first { $0 != $1 }.map { "\($0) instead of \($1)" } ?? "none differs"
        // Not in the expectation, which would print both lists.
        let isWhole = ids == expected
        #expect(isWhole, "\(name): \(ids.count) of \(expected.count) events; \(fault)")
        for event in client.events {
          #expect(bodies.updateValue(event.data, forKey: event.id) ?? event.data == event.data, "\(name): \(event.id)")
        }
      }
      let wrong = log.indices.filter { version in
        guard let data = bodies["1.\(version)"].flatMap(Self.members) else { return true }
        return Self.differs(log[version], from: data)
      }
      #expect(wrong.isEmpty)
    }

    /// Whether an entry of the log differs from what was answered. An entry also has what the diff
    /// says of its parts.
    private static func differs(_ entry: [String: Any], from answer: [String: Any]) -> Bool {
      canonical(answer) != canonical(entry.filter { answer.keys.contains($0.key) })
    }

    /// All mirrors give the same bytes for everything that belongs to the views.
    private func compare(_ mirrors: MirrorGroup) throws {
      for view in Self.views {
        for part in ["", "/tree", "/html", "/log?limit=1000", "/rendered", "/diagnostics", "/waste"] {
          // A mirror notices a moment later that a client has disconnected, which was a subscriber
          // of a node.
          var bodies: [String] = []
          for _ in 0..<100 {
            bodies = try mirrors.ports.indices.map { try mirrors.get($0, "/views/\(view)\(part)").body }
            if Set(bodies).count == 1 { break }
            Thread.sleep(for: .milliseconds(50))
          }
          #expect(Set(bodies).count == 1, "\(view)\(part): \(Self.difference(bodies))")
        }
      }
    }

    private static func difference(_ bodies: [String]) -> String {
      guard let other = bodies.first(where: { $0 != bodies[0] }) else { return "" }
      let same = zip(bodies[0].utf8, other.utf8).prefix { $0 == $1 }.count
      return [bodies[0], other].map { text in
        let bytes = Array(text.utf8)
        return "…" + String(decoding: bytes[max(0, same - 60)..<min(bytes.count, same + 60)], as: UTF8.self) + "…"
      }.joined(separator: " ≠ ")
    }

    // MARK: - Reading

    /// The number of the paragraph that every diff changes.
    private func paragraph(_ mirrors: MirrorGroup) throws -> Int {
      let tree = try mirrors.get(0, "/views/\(Self.views[0])/tree").body
      return try #require(tree.firstMatch(of: /"node":(\d+),"kind":"element","tag":"p"/).flatMap { Int($0.1) })
    }

    private func log(of view: String, _ mirrors: MirrorGroup, _ index: Int) throws -> [[String: Any]] {
      var (entries, after): ([[String: Any]], String) = ([], "")
      while true {
        let page = try #require(Self.members(try mirrors.get(index, "/views/\(view)/log?limit=1000\(after)").body))
        entries += try #require(page["entries"] as? [[String: Any]])
        guard let next = page["next"] as? String else { return entries }
        after = "&after=\(next)"
      }
    }

    /// The text of the paragraph after each entry: the mark of its diff. A diff that was sent again
    /// right after it was applied has changed nothing.
    private static func marks(_ log: [[String: Any]]) -> [String] {
      var mark = ""
      return log.map { entry in
        for case let change as [String: Any] in entry["changes"] as? [Any] ?? [] {
          if let after = change["after"] as? String, after.hasPrefix("w") { mark = after }
        }
        return mark
      }
    }

    private static func members(_ json: String) -> [String: Any]? {
      (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any]
    }

    private static func canonical(_ json: Any) -> String {
      let data = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
      return String(decoding: data ?? Data(), as: UTF8.self)
    }
  }
}
