import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  /// The files that `replay` reads, and when it plays their frames.
  @Suite struct ReplayFormatTests {
    static let page =
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#

    static func diff(_ number: Int, at time: Int) -> String {
      #"{"at":\#(time),"sent":false,"frame":["4",null,"lv:r","diff",{"0":"\#(number)"}]}"#
    }

    /// The lines about changes, without the names of pages.
    private func changes(_ result: Command.Result) -> [String] {
      result.pathless.replacing(/~har-\S+/, with: "").split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["1.0.18/07_streams", "1.1.33/05_components", "1.2.10/09_events", "1.2.10/12_nested_lv"])
    func `a HAR and copied rows print the same changes as the frames`(name: String) throws {
      let recording = try #require(Recording.committed.first { $0.name == name })
      let traffic = try TimedTraffic(recording)
      let frames = try Command.run("replay", "-", input: traffic.lines)
      #expect(frames.code == 0)
      #expect(frames.output.contains(" → "))
      for other in [try traffic.har(), traffic.table] {
        let result = try Command.run("replay", "-", input: other)
        #expect((result.code, result.errors) == (frames.code, frames.errors))
        #expect(changes(result) == changes(frames))
      }
    }

    @Test func `an export prints the changes and causes of its view`() throws {
      let server = try Server()
      let traffic = try TimedTraffic(try #require(Recording.committed.first { $0.name == "1.1.33/05_components" }))
      let file = try TemporaryFile(traffic.lines)
      _ = try Command.shell("curl -s \(server.host)/frames --data-binary @\(file.path)")
      let view = try #require(traffic.messages.first?.text.firstMatch(of: /lv:[^"]+/)).0
      let export = try Command.shell("curl -s \(server.host)/views/\(view)/export")
      let direct = try Command.run("replay", file.path)
      let result = try Command.run("replay", "-", input: export)
      #expect((result.code, result.errors) == (0, ""))
      #expect(changes(result) == changes(direct))
    }

    @Test(arguments: [
      ("", "at byte 0: the file is empty"),
      (#"{"log":{"entries":[{}]}}"#, "at /log/entries: the HAR has 1 entry, none with WebSocket messages. In Chrome, "),
      (
        #"{"log":{"creator":{"name":"Firefox"},"entries":[]}}"#,
        "at /log/entries: the HAR has 0 entries, none with WebSocket messages. Firefox does not write them: "
      ),
      (#"{"log":{"entries":["#, "at byte 19: the HAR is not complete JSON"),
      (
        #"{"log":{"entries":[{"request":{"url":"http://localhost:4000/live/longpoll?vsn=2.0.0"}}]}}"#,
        "at /log/entries: the page used long polling (http://localhost:4000/live/longpoll) and no WebSocket"
      ),
      (
        #"{"log":{"entries":[{"_webSocketMessages":[{"type":"receive","opcode":1,"data":"{\"topic\":\"room:1\",\"event\":\"phx_reply\",\"payload\":{},\"ref\":\"1\"}"}]}]}}"#,
        "at /log/entries: each of 1 of the 1 WebSocket messages is a message of Phoenix's channel protocol 1.0.0"
      ),
      (
        #"{"topic":"lv:phx-F1","event":"phx_reply","payload":{},"ref":"4"}"#,
        "this is a message of Phoenix's channel protocol 1.0.0"
      ),
      (
        #"["4","4","lv:phx-F1","phx_join",{}]"# + "\n"
          + #"["4","4","lv:phx-F1","phx_reply",{"status":"error","response":{"reason":"stale"}}]"#,
        "2 frames, none of which has a page or a diff: the server has refused the join of lv:phx-F1 (reason: stale): record"
      ),
      (
        "Connected (press CTRL+C to quit)\n> [\"4\",\"4\",\"lv:phx-F1\",\"phx_join\",{}]\n< [\"4\",null]",
        "at byte 0: the file is a transcript of wscat: "
      ),
      ("> [\"4\",\"4\",\"lv:phx-F1\",\"phx_join\",{}]", "at byte 0: the file is a transcript of wscat: "),
      (
        "push: lv:phx-F1 phx_join (4, 4) {url: 'http://…'}",
        "at byte 0: the file is the log of phoenix.js in the console"
      ),
      (
        "phoenix.js:1 receive: ok lv:phx-F1 phx_reply (4) {rendered: {…}}",
        "at byte 0: the file is the log of phoenix.js in the console"
      ),
      ("PK\u{3}\u{4}abc", "at byte 0: the file is a ZIP archive: "),
      ("\u{0}\u{1}", "at byte 0: this is not a file of LiveView traffic: "),
      ("⬆[null,\"1\",\"phoenix\",\"heartbeat\",{}]", "at byte 0: this is not a file of LiveView traffic: "),
    ])
    func `a file without traffic is reported with what to do`(file: String, message: String) throws {
      let result = try Command.run("replay", "-", input: file)
      #expect(result.errors.hasPrefix("liveview-mirror: -: \(message)"), "\(result.errors)")
      #expect((result.output, result.code) == ("", 65))
    }

    @Test func `a compressed file is reported with what to do`() throws {
      let file = try TemporaryFile(#"["4","4","lv:phx-F1","phx_join",{}]"#)
      _ = try Command.shell("gzip -c \(file.path) > \(file.path).gz")
      let result = try Command.run("replay", file.path + ".gz")
      try? FileManager.default.removeItem(atPath: file.path + ".gz")
      #expect(result.errors.contains("the file is compressed with gzip: decompress it (gunzip)"))
      #expect((result.output, result.code) == ("", 65))
    }

    // MARK: - Time

    @Test func `--speed plays with the recorded times`() throws {
      let first = Self.page.replacing(/^/, with: #"{"at":1000,"sent":false,"frame":"#) + "}"
      func play(pause: Int, speed: String) throws -> (result: Command.Result, duration: Duration) {
        let diffs = (1...4).map { Self.diff($0, at: 1_000 + $0 * pause) }
        let file = try TemporaryFile(([first] + diffs).joined(separator: "\n"))
        var result: Command.Result?
        let duration = try ContinuousClock().measure { result = try Command.run("replay", file.path, "--speed", speed) }
        return (try #require(result), duration)
      }
      // 0.8 seconds at the recorded speed, and 80,000 that are played as fast.
      let (recorded, fast) = (try play(pause: 200, speed: "1"), try play(pause: 20_000_000, speed: "100000"))
      #expect(fast.result.timeless == recorded.result.timeless)
      #expect(recorded.result.output.contains(" v4 "))
      for duration in [recorded.duration, fast.duration] { #expect(duration >= .milliseconds(800)) }
    }

    @Test func `--speed with a file without times is refused`() throws {
      let result = try Command.run("replay", "--speed", "1", "-", input: Self.page)
      #expect(
        (result.output, result.errors, result.code) == (
          "",
          "liveview-mirror: -: no frame has a time, so --speed has no effect: remove it. A HAR, an export and the lines of a tap "
            + "have times\n", 65
        ))
    }

    @Test(arguments: ["0", "-1", "x", "inf", "nan"])
    func `the speed must be a number above 0`(speed: String) throws {
      let result = try Command.run("replay", "--speed=\(speed)", "-")
      #expect(result.code == 64)
      #expect(result.errors.contains("--speed"))
    }

    @Test func `--speed and --step exclude each other`() throws {
      #expect(try Command.run("replay", "--speed", "1", "--step", "-").code == 64)
    }
  }
}

/// A file that exists as long as this value.
final class TemporaryFile {
  let path: String

  init(_ text: String) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
