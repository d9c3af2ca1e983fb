#if os(Linux)
  import Foundation
  import LiveViewMirror
  import MarkupDocument
  import MirrorAnalysis
  import MirrorSupport
  import RecordingFixtures
  import RenderedTree
  import Testing

  /// The same inputs in several processes. Swift gives the sets and dictionaries of each process
  /// another random order.
  ///
  /// The test runs this program again, with a filter for itself and the name of a file. As a child,
  /// it writes one line for each recording and each random page into the file: hashes of all
  /// records and snapshots.
  @Suite struct HashSeedTests {
    private static let output = "MIRROR_DIGEST_OUTPUT"

    @Test func `the same inputs give the same records and snapshots in every process`() throws {
      if let path = ProcessInfo.processInfo.environment[Self.output] {
        let lines = ["\("seed".hashValue)"] + (try Self.digests())
        return try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      }
      let children = try (0..<3).map { _ in try Child(writing: Self.output) }
      let reports = try children.map { try $0.report() }
      #expect(Set(reports.map { $0[0] }).count > 1, "the children must have different seeds")
      #expect(reports[0].count > Recording.committed.count)
      for report in reports.dropFirst() {
        #expect(report.count == reports[0].count)
        for (line, first) in zip(report, reports[0]).dropFirst() { #expect(line == first) }
      }
    }

    // MARK: - Digests

    private static func digests() throws -> [String] {
      let pages = UInt64(TestEffort.count(1, long: 40))
      return try Recording.committed.map(digest) + OracleProfile.all.map { try digest(of: $0, pages: pages) }
    }

    private static func digest(of recording: Recording) throws -> String {
      var (views, digest) = (RecordedViews(recording), Digest())
      for step in recording.steps {
        let (view, receive) = try views.next(step)
        guard let record = try receive() else { continue }
        digest.add(record)
        digest.add(view)
      }
      return "\(recording.name) \(digest)"
    }

    private static func digest(of profile: OracleProfile, pages: UInt64) throws -> String {
      var digest = Digest()
      for seed in 1...pages {
        var page = RandomPage(profile: profile, seed: seed)
        let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
        digest.add(try view.mount(Array(page.mount().utf8), dialect: .html))
        for step in 1...OracleRun.stepsOfPage {
          let before = page
          let next = page.step()
          do throws(UpdateError) {
            digest.add(try view.update(next.diff))
          } catch {
            digest.add("\(error)")
            (page.root, page.components) = (before.root, before.components)
            continue
          }
          if next.isSpoiled { break }
          if !next.destroyed.isEmpty { try view.receive(frame: OraclePair.frame(destroying: next.destroyed)) }
          if step % 8 == 0 { digest.add(view) }
        }
      }
      return "\(profile.name) \(digest)"
    }
  }

  /// A process that runs the test of this file.
  private struct Child {
    private let process = Process()
    private let file = FileManager.default.temporaryDirectory.appending(path: "digest-\(UUID().uuidString)")

    /// - Parameter variable: the variable of the environment that names the file.
    init(writing variable: String) throws {
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", "HashSeedTests"]
      // With a fixed seed, the test would compare equal orders.
      process.environment = ProcessInfo.processInfo.environment
        .filter { $0.key != "SWIFT_DETERMINISTIC_HASHING" }
        .merging([variable: file.path]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    /// The lines of the file, when the process has ended.
    func report() throws -> [String] {
      process.waitUntilExit()
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(process.terminationStatus == 0)
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }

  /// A hash of everything that was added, and of its order.
  private struct Digest: CustomStringConvertible {
    private var state: UInt64 = 0

    mutating func add(_ text: String) { state = "\(state) \(text)".byteHash }

    mutating func add(_ record: ChangeRecord) { add(String(reflecting: RecordFacts(record))) }

    /// Adds what a view shows, and its snapshot without times.
    mutating func add(_ view: LiveViewCoordinator) {
      guard var state = view.view else { return }
      (state.mountedAt, state.updatedAt) = (0, 0)
      add(state.rendered.json.text + state.wasteReport().text + "\(state.findings)")
      add(String(state.snapshot().withUnsafeBytes(ByteHash.of)))
    }

    var description: String { String(state, radix: 16) }
  }
#endif
