import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  /// Faults of files, and several files of one command.
  @Suite struct FileFaultTests {
    private static let page = ReplayFormatTests.page

    private static func diff(_ text: String, _ topic: String = "lv:r") -> String {
      #"["4",null,"\#(topic)","diff",{"0":"\#(text)"}]"#
    }

    // MARK: - replay

    @Test func `replay reports each view without a join once, and the sum of the frames`() throws {
      let frames = (1...300).map { Self.diff("\($0)") } + [Self.diff("x", "lv:s"), "y"]
      let result = try Command.run("replay", "-", input: frames.joined(separator: "\n"))
      #expect(
        result.errors == """
          liveview-mirror: ! frame 301 rejected  line 302, at byte \(frames.dropLast().reduce(0) { $0 + $1.utf8.count + 1 }): \
          expected a value
          liveview-mirror: -: the file does not contain the join of lv:r: begin the recording before the page loads \
          (300 frames)
          liveview-mirror: -: the file does not contain the join of lv:s: begin the recording before the page loads \
          (1 frame)
          liveview-mirror: -: 302 frames: 0 applied, 302 rejected

          """)
      #expect((result.output, result.code) == ("", 65))
      let json = try Command.run("replay", "--json", "-", input: frames.joined(separator: "\n"))
      #expect((json.errors, json.code) == (result.errors, 65))
      #expect(json.output.split(separator: "\n").count == 302)
      #expect(!json.output.contains("POST"))
    }

    @Test func `the views without a join are limited`() throws {
      let frames = (1...30).map { Self.diff("1", "lv:v\($0)") }
      let lines = try Command.run("replay", "-", input: frames.joined(separator: "\n")).errors.split(separator: "\n")
      #expect(lines.count == 22)
      #expect(lines[20] == "liveview-mirror: -: the joins of 10 more views are missing (10 frames)")
      #expect(lines[21] == "liveview-mirror: -: 30 frames: 0 applied, 30 rejected")
    }

    @Test(arguments: ["-1", "abc", "0", "inf", "--json"])
    func `a wrong speed is answered with what is expected`(speed: String) throws {
      for arguments in [["--speed", speed], ["--speed=\(speed)"]] {
        let result = try Command.run(arguments: ["replay"] + arguments + ["-"])
        #expect(result.code == 64)
        #expect(
          result.errors.contains("--speed: “\(speed)” must be a number > 0, such as 2"),
          "\(result.errors)")
      }
    }

    @Test func `a HAR of thousands of pages is read in linear time`() throws {
      // The time of the processor: other programs do not count.
      func seconds(_ pages: Int) throws -> Double {
        let frame = #"[\"1\",\"1\",\"lv:a\",\"phx_reply\",{}]"#
        let list = (0..<pages).map { #"{"id":"p\#($0)","title":"x"}"# }.joined(separator: ",")
        let entries = (0..<pages).map { #"{"pageref":"p\#($0)","_webSocketMessages":[{"data":"\#(frame)"}]}"# }
        let file = try TemporaryFile(#"{"log":{"pages":[\#(list)],"entries":[\#(entries.joined(separator: ","))]}}"#)
        let program = try Fixtures.program.path
        let times = try Command.shell("'\(program)' replay '\(file.path)' >/dev/null 2>&1; times")
        // The user time of the children is the third word: 0m1.25s.
        let parts = try #require(
          times.split(whereSeparator: \.isWhitespace).dropFirst(2).first?.dropLast().split(separator: "m"))
        return try #require(Double(parts[0])) * 60 + #require(Double(parts[1]))
      }
      // Quadratic reading takes 16 times as long for 4 times the pages.
      let (short, long) = (try seconds(1_500), try seconds(6_000))
      #expect(long < short * 8 + 0.5, "\(short) and \(long)")
    }

    // MARK: - Files that cannot be read

    @Test func `a file that cannot be read is reported with the reason`() throws {
      let folder = FileManager.default.temporaryDirectory.path
      for command in [["replay"], ["import", "--port", "0", "--log-level", "error"]] {
        for (file, reason) in [("no-such-file", "No such file or directory"), (folder, "Is a directory")] {
          let result = try Command.run(arguments: command + [file])
          #expect(
            result.errors.split(separator: "\n").first == "liveview-mirror: cannot read \(file): \(reason)",
            "\(result.errors)")
          #expect(result.code == 66)
        }
      }
    }

    @Test func `import says that the other files were imported`() throws {
      let server = try Server()
      let file = try TemporaryFile(Self.page)
      let result = try Command.run("import", "--mirror", "http://\(server.host)", "no-such-file", file.path)
      #expect(
        result.errors == """
          liveview-mirror: cannot read no-such-file: No such file or directory
          liveview-mirror: \(file.path): frames: 1 view; 1 update, 0 other frames
          liveview-mirror: 1 of 2 files was not imported; the other was

          """)
      #expect((result.output, result.code) == ("http://\(server.host)/views/lv:r?version=0\n", 66))
    }

    // MARK: - The port

    @Test func `import beside a running mirror names it, before it reads the files`() throws {
      let server = try Server()
      let port = try #require(server.host.split(separator: ":").last)
      let result = try Command.run("import", "--port", String(port), "--log-level", "error", "no-such-file")
      #expect(
        (result.output, result.errors, result.code) == (
          "",
          """
          liveview-mirror: port \(port) on 127.0.0.1 is already used by liveview-mirror (process \(server.identifier)); if that is a mirror, add the files to it \
          with --mirror http://localhost:\(port); or choose another port with --port, or --port 0 for a free one

          """, 69
        ))
    }

    // MARK: - Exports of one page

    @Test(arguments: [false, true])
    func `exports of one page in several files are imported into one page`(isRunning: Bool) throws {
      let first = try Server()
      for tab in ["a", "b"] {
        let frames = ["lv:r", "lv:s", "lv:t"].map { Self.page.replacing("lv:r", with: $0) }
        let file = try TemporaryFile(frames.joined(separator: "\n"))
        _ = try Command.shell("curl -s '\(first.host)/frames?page=\(tab)' --data-binary @\(file.path)")
      }
      let names = ["lv:r~a", "lv:r~b", "lv:s~a", "lv:s~b", "lv:t~a"]
      let exports = try names.map { try Command.shell("curl -s \(first.host)/views/\($0)/export") }
      let files = try exports.map { try TemporaryFile($0) }
      // A copy of a view is a page of its own.
      let paths = files.map(\.path) + [files[0].path]
      let second: Server
      let output: [String]
      if isRunning {
        second = try Server()
        let result = try Command.run(arguments: ["import", "--mirror", "http://\(second.host)"] + paths)
        #expect(result.code == 0)
        #expect(
          result.errors.hasPrefix(
            "liveview-mirror: \(paths[0]) and 2 others of the same page: export: 3 views on 1 page; 3 updates, 3 other frames\n"
          ), "\(result.errors)")
        output = result.output.split(separator: "\n").map(String.init)
      } else {
        second = try Server(command: ["import"] + paths, arguments: [])
        output = second.lines(7).dropFirst().map(String.init)
      }
      #expect(
        output
          == ["lv:r~a", "lv:s~a", "lv:t~a", "lv:r~b", "lv:s~b", "lv:r~a-2"].map {
            "http://\(second.host)/views/\($0)?version=0"
          })
      for (name, export) in zip(names, exports) {
        #expect(try Command.shell("curl -s \(second.host)/views/\(name)/export") == export)
      }
    }

    @Test func `the lines of joined files are counted through them`() throws {
      let exports = ["lv:r", "lv:s"].map { topic in
        #"{"liveview_mirror":{"export":1},"view":"\#(topic)~a","topic":"\#(topic)","page":{"id":"a"}}"# + "\n"
          + Self.page.replacing("lv:r", with: topic) + "\nx\n"
      }
      let files = try exports.map { try TemporaryFile($0) }
      let server = try Server()
      let result = try Command.run("import", "--mirror", "http://\(server.host)", files[0].path, files[1].path)
      let lines = result.errors.split(separator: "\n")
      try #require(lines.count == 4, "\(result.errors)")
      #expect(lines[2].contains("frame 2 was rejected: line 6, at byte "))
      #expect(lines[3].hasSuffix("lines 1 to 3 are those of \(files[0].path), 4 to 6 are those of \(files[1].path)"))
      #expect(result.code == 65)
    }

    // MARK: - Limits

    @Test func `the addresses of evicted views are not printed`() throws {
      let frames = (1...5).map { Self.page.replacing("lv:r", with: "lv:v\($0)") }
      let files = try [frames.joined(separator: "\n"), Self.page].map { try TemporaryFile($0) }
      let server = try Server(command: ["import"] + files.map(\.path), arguments: ["--max-views", "2"])
      let lines = server.lines(3)
      #expect(
        lines.dropFirst() == [
          "http://\(server.host)/views/lv:v5?version=0", "http://\(server.host)/views/lv:r?version=0",
        ])
      #expect(
        server.log.contains(
          "\(files[0].path): 4 views were evicted again, because the mirror keeps fewer than the files have: lv:v1, lv:v2, lv:v3, lv:v4. Raise "
        ), "\(server.log)")
    }
  }
}
