import Foundation
import PostgresFixture
import RecordingFixtures
import Testing

extension CommandSuite {
  /// The program with a journal, ended at any moment.
  @Suite final class JournalTests {
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
      try? FileManager.default.removeItem(at: folder)
      if let database { try? PostgresServer.common().drop(database) }
    }

    enum Store: String, CaseIterable, Sendable {
      case sqlite, postgres

      static let allCases: [Store] = PostgresServer.isLeftOut ? [.sqlite] : [.sqlite, .postgres]
    }

    private var database: String?

    /// The value of `--journal`.
    private func journal(_ store: Store) throws -> String {
      switch store {
      case .sqlite: return folder.appending(path: "mirror.sqlite").path
      case .postgres:
        let server = try PostgresServer.common()
        let name = try database ?? server.database()
        database = name
        return server.url(name)
      }
    }

    /// Without PostgreSQL, the others run with SQLite only. This one is then named among the
    /// skipped tests.
    @Test(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)"))
    func `the tests of the program run with PostgreSQL, too`() {
      #expect(Store.allCases.contains(.postgres))
    }

    @Test(arguments: Store.allCases)
    func `views exist after a stop and after kill -9`(store: Store) throws {
      let journal = try journal(store)
      for signal in [SIGTERM, SIGKILL] {
        let first = try Server("--journal", journal)
        let view = "view-\(signal)"
        #expect(try post(first, "/views/\(view)/rendered", Self.page).status == 201)
        for count in 1...20 { #expect(try post(first, "/views/\(view)/diffs", #"{"0":"\#(count)"}"#).status == 200) }
        _ = first.end(with: signal)
        let second = try Server("--journal", journal)
        let entries = try log(of: view, second)
        #expect(entries.count == 21)
        #expect(second.end() == (.exit, 0))
      }
    }

    /// Four writers post to four views until the program is killed at a random moment, again and
    /// again. Whatever was answered with 200 or 201 exists in the next process, as it was answered,
    /// and each version exists once.
    @Test(arguments: Store.allCases)
    func `nothing that was answered is lost by kill -9`(store: Store) throws {
      let journal = try journal(store)
      var random = SplitMix(state: 17)
      var answered: [String: [Int: String]] = [:]
      for round in 0..<TestEffort.count(12, long: 200) {
        let server = try Server("--journal", journal)
        // What the processes before have answered: in each 20th round everything, otherwise the
        // end.
        for (view, versions) in answered {
          let first = round.isMultiple(of: 20) ? 0 : max(0, (versions.keys.max() ?? 0) - 300)
          let entries = try log(of: view, server, from: first)
          let lost = versions.filter { $0.key >= first && Self.isLost($0.value, from: entries[$0.key]) }
          #expect(lost.isEmpty, "round \(round), \(view)")
          #expect(entries.keys.sorted() == Array(first..<first + entries.count))
        }
        if round == 0 {
          for view in 0..<4 { #expect(try post(server, "/views/view-\(view)/rendered", Self.page).status == 201) }
        }
        let writers = (0..<4).map { Writer(view: "view-\($0)", port: server.port, seed: random.next()) }
        // In every other round at any moment, also before the first answer.
        if round.isMultiple(of: 2) { for writer in writers { writer.waitForAnswer() } }
        usleep(UInt32(random.next() % 80_000) + 2_000)
        _ = server.end(with: SIGKILL)
        for writer in writers { answered[writer.view, default: [:]].merge(writer.answers()) { first, _ in first } }
      }
      #expect(answered.values.reduce(0) { $0 + $1.count } > 20)

      // A mirror that was never killed makes the same of the same inputs.
      let server = try Server("--journal", journal)
      let other = try Server()
      for view in answered.keys.sorted() {
        let export = try get(server, "/views/\(view)/export")
        #expect(try post(other, "/views", export).status == 201)
        let (left, right) = (try log(of: view, server), try log(of: view, other))
        let differing = left.filter { Self.ofInputs($0.value) != right[$0.key].map(Self.ofInputs) }
        #expect(differing.isEmpty && left.count == right.count)
        #expect(try get(server, "/views/\(view)/tree") == get(other, "/views/\(view)/tree"))
      }
    }

    // MARK: - Requests

    static let page =
      #"{"0":"0","1":{"s":["<li id=\"","\">","</li>"],"k":{"0":{"0":"a","1":"A"},"1":{"0":"b","1":"B"},"2":{"0":"c","1":"C"},"kc":3}},"s":["<p>","</p><ul>","</ul>"]}"#

    private func post(_ server: Server, _ path: String, _ body: String) throws -> (status: Int, body: String) {
      let caller = try #require(Caller(port: server.port))
      guard case .answered(let status, let text) = caller.post(path, body, keepingAlive: false) else { return (0, "") }
      return (status, text)
    }

    private func get(_ server: Server, _ path: String) throws -> String {
      let caller = try #require(Caller(port: server.port))
      caller.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      guard case .answered(200, let text) = caller.answer() else { return "" }
      return text
    }

    /// The entries of a view's log from a version on, by version, in canonical form.
    private func log(of view: String, _ server: Server, from first: Int = 0) throws -> [Int: String] {
      var entries: [Int: String] = [:]
      var after = first > 0 ? "&after=\(first - 1)" : ""
      while true {
        let text = try get(server, "/views/\(view)/log?limit=500\(after)")
        let page = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        for case let entry as [String: Any] in try #require(page["entries"] as? [Any]) {
          if let version = entry["version"] as? Int { entries[version] = Self.canonical(entry) }
        }
        guard let next = page["next"] as? String else { return entries }
        after = "&after=\(next)"
      }
    }

    fileprivate static func canonical(_ json: Any) -> String {
      let data = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
      return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Whether an entry of the log differs from what was answered. An entry also has what the diff
    /// says of its parts.
    private static func isLost(_ answer: String, from entry: String?) -> Bool {
      guard let entry, let answered = members(answer), let kept = members(entry) else { return true }
      return canonical(answered) != canonical(kept.filter { answered.keys.contains($0.key) })
    }

    private static func members(_ json: String) -> [String: Any]? {
      (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any]
    }

    /// What follows from the inputs alone.
    private static func ofInputs(_ entry: String) -> String {
      guard var json = members(entry) else { return entry }
      json["timings"] = nil
      // The numbers of the page's drawn views are those of one process.
      var isolation = json["isolation"] as? [String: Any]
      isolation?["views"] = nil
      json["isolation"] = isolation
      return canonical(json)
    }
  }
}

/// Posts random diffs to one view until the connection ends, and remembers what was answered.
private final class Writer: @unchecked Sendable {
  let view: String
  private let done = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)
  private let result = Result()

  private final class Result: @unchecked Sendable { var answers: [Int: String] = [:] }

  init(view: String, port: UInt16, seed: UInt64) {
    self.view = view
    let (done, answered, result) = (done, answered, result)
    let thread = Thread {
      defer { done.signal() }
      var random = SplitMix(state: seed)
      guard let caller = Caller(port: port) else { return }
      func post(_ path: String, _ body: String) -> Bool {
        guard case .answered(let status, let text) = caller.post(path, body, keepingAlive: true) else { return false }
        guard status == 200 || status == 201, let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
          let version = (json as? [String: Any])?["version"] as? Int
        else { return false }
        result.answers[version] = CommandSuite.JournalTests.canonical(json)
        answered.signal()
        return true
      }
      while post("/views/\(view)/diffs", Self.diff(&random)) {}
    }
    thread.start()
  }

  private static func diff(_ random: inout SplitMix) -> String {
    switch random.next() % 4 {
    case 0: #"{"1":{"k":{"0":1,"1":2,"2":0,"kc":3}}}"#
    case 1: #"{"1":{"k":{"1":{"1":"\#(random.next() % 100)"},"kc":3}}}"#
    default: #"{"0":"\#(random.next() % 1000)"}"#
    }
  }

  /// Waits until the first diff is answered, for at most a minute.
  func waitForAnswer() { _ = answered.wait(timeout: .now() + 60) }

  func answers() -> [Int: String] {
    done.wait()
    return result.answers
  }
}
