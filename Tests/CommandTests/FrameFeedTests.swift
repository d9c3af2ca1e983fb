import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  /// Many frames through `POST /frames`.
  @Suite struct FrameFeedTests {
    private static let batch = 1_000
    /// 100,000 frames with `MIRROR_LONG_TESTS=1`.
    private static let batches = TestEffort.count(10, long: 100)

    /// The resident memory of a process in KiB.
    private func memory(of server: Server) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(server.identifier)/status", encoding: .utf8)
      return try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
    }

    @Test func `frames arrive in order, each once, with flat memory, also if batches are sent twice`() throws {
      // The log is full after a fifth of the frames, or less.
      let server = try Server("--versions", "2000")
      let port = try #require(server.host.split(separator: ":").last.flatMap { UInt16($0) })
      let caller = try #require(Caller(port: port))
      func post(_ target: String, _ body: String) throws -> String {
        guard case .answered(200, let body) = caller.post(target, body, keepingAlive: true) else {
          throw CocoaError(.fileReadUnknown)
        }
        return body
      }
      _ = try post("/frames?page=tab&first=0", ReplayFormatTests.page)
      var memories: [Int] = []
      for batch in 0..<Self.batches {
        let first = batch * Self.batch + 1
        let numbers = first..<(first + Self.batch)
        let body = numbers.map { ReplayFormatTests.diff($0, at: 1_764_000_000_000 + $0) }.joined(separator: "\n")
        let target = "/frames?page=tab&first=\(first)"
        let report = try post(target, body)
        let start = #"{"all_rejected":false,"frames":1000,"#
        #expect(report.hasPrefix(start + #""applied":1000,"ignored":0,"known_frames":0,"missing_frames":0,"#))
        // As a feed does that has got no response.
        if batch % 10 == 9 {
          #expect(try post(target, body).hasPrefix(start + #""applied":0,"ignored":1000,"known_frames":1000,"#))
        }
        let log = try Command.shell("curl -s '\(server.host)/views/lv:r~tab/log?after=\(first - 1)&limit=1000'")
        let texts = log.matches(of: #/"version":(\d+),"at".*?"after":"(\d+)"/#).map { "\($0.1) \($0.2)" }
        #expect(texts == numbers.map { "\($0) \($0)" })
        memories.append(try memory(of: server))
      }
      let (early, late) = (memories[Self.batches / 2 - 1], memories[Self.batches - 1])
      print("the mirror has \(early) KiB after half of \(Self.batches * Self.batch) frames, \(late) KiB at the end")
      #expect(late < early + 8_192)
    }
  }
}
