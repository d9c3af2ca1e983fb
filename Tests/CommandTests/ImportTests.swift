import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  @Suite struct ImportTests {
    private static let counter = Fixtures.folder("wire").appending(path: "1.2.10/01_counter.json").path

    private func file(_ recording: String) throws -> TemporaryFile {
      try TemporaryFile(TimedTraffic(try #require(Recording.committed.first { $0.name == recording })).har())
    }

    // MARK: - Into a running mirror

    @Test func `files are sent to a running mirror, and the addresses of their views are printed`() throws {
      let server = try Server()
      let har = try file("1.2.10/12_nested_lv")
      let result = try Command.run(
        "import", "--mirror", "http://\(server.host)", har.path, "-",
        input: try String(contentsOfFile: Self.counter, encoding: .utf8))
      #expect(
        result.errors == """
          liveview-mirror: \(har.path): har: 5 views on 1 page; 19 updates, 22 other frames; 2 messages of no LiveView skipped
          liveview-mirror: -: frames: 1 view; 9 updates, 1 other frame

          """)
      #expect(result.code == 0)
      let addresses = result.output.split(separator: "\n")
      #expect(addresses.count == 6)
      for address in addresses {
        #expect(address.contains(/^http:\/\/127\.0\.0\.1:\d+\/views\/lv:\S+\?version=0$/))
        #expect(try Command.shell("curl -s -H 'Accept: text/html' '\(address)'").contains(">version 0</a>"))
      }
      // A version that is not the newest one does not follow the view.
      let first = try Command.shell("curl -s -H 'Accept: text/html' '\(try #require(addresses.first))'")
      #expect(first.contains(#"data-live="past""#))
    }

    @Test func `every file is tried, and the first failure decides the exit code`() throws {
      let server = try Server()
      let broken = try TemporaryFile(#"{"log":{"entries":["#)
      let result = try Command.run(
        "import", "--mirror", "http://\(server.host)", broken.path, "no-such-file", Self.counter)
      #expect(result.code == 65)
      let lines = result.errors.split(separator: "\n")
      try #require(lines.count == 4, "\(result.errors)")
      #expect(lines[0].hasPrefix("liveview-mirror: \(broken.path): at byte 19: the HAR is not complete JSON"))
      #expect(lines[1] == "liveview-mirror: cannot read no-such-file: No such file or directory")
      #expect(lines[3] == "liveview-mirror: 2 of 3 files were not imported; the other was")
      #expect(result.output.contains("/views/lv:phx-"))
      #expect(try Command.run("import", "--mirror", "http://\(server.host)", "no-such-file").code == 66)
    }

    @Test func `rejected frames are listed`() throws {
      let server = try Server()
      let frames = ReplayFormatTests.page + "\n" + #"["4",null,"lv:r","diff",{"7":"1"}]"#
      let result = try Command.run("import", "--mirror", "http://\(server.host)", "-", input: frames)
      #expect(
        result.errors == """
          liveview-mirror: -: frames: 1 view; 1 update, 0 other frames; 1 frame rejected
          liveview-mirror: -: frame 1 of lv:r was rejected: line 2, at /4/7: this slot does not exist: the template has 1 slot, 0 to 0. \
          The view is unchanged.

          """)
      #expect((result.output, result.code) == ("http://\(server.host)/views/lv:r?version=0\n", 65))
    }

    @Test func `frames of megabytes are imported, or refused with the limit`() throws {
      let server = try Server()
      func importing(_ megabytes: Int...) throws -> Command.Result {
        let diffs = megabytes.map {
          #"["4",null,"lv:r","diff",{"0":"\#(String(repeating: "x", count: $0 * 1_000_000))"}]"#
        }
        let frames = ([ReplayFormatTests.page] + diffs).joined(separator: "\n")
        return try Command.run("import", "--mirror", "http://\(server.host)", "-", input: frames)
      }
      let large = try importing(7)
      #expect((large.code, large.output) == (0, "http://\(server.host)/views/lv:r?version=0\n"))
      let page = try importing(10)
      #expect(
        page.errors.hasSuffix(
          " of lv:r~import was rejected: line 2, at /4: the page is larger than 8 MiB, which is the limit; show fewer items at a time, with pagination or a limit of the stream. The view is unchanged.\n"
        ))
      #expect((page.code, page.output) == (65, "http://\(server.host)/views/lv:r~import?version=0\n"))
      let file = try importing(10, 10)
      #expect(
        file.errors
          == "liveview-mirror: -: The body must have at most 16777216 bytes. Start the mirror with a higher --max-body.\n"
      )
      #expect((file.code, file.output) == (65, ""))
      #expect(try Command.shell("curl -s \(server.host)/views").matches(of: /"view":/).count == 2)
    }

    @Test func `a mirror that cannot be reached, or needs a token, is reported`() throws {
      let server = try Server("--token", "abcdefgh")
      let refused = try Command.run("import", "--mirror", "http://\(server.host)", Self.counter)
      #expect(
        (refused.errors, refused.code) == (
          "liveview-mirror: \(Self.counter): the mirror needs a token: set --token, --token-file, MIRROR_TOKEN or MIRROR_TOKEN_FILE\n",
          77
        ))
      for (arguments, environment) in [(["--token", "abcdefgh"], [:]), ([], ["MIRROR_TOKEN": "abcdefgh"])] {
        let result = try Command.run(
          arguments: ["import", "--mirror", "http://\(server.host)", Self.counter] + arguments, environment: environment
        )
        #expect(result.code == 0)
      }
      _ = server.end()
      let gone = try Command.run("import", "--mirror", "http://\(server.host)", Self.counter)
      #expect(
        (gone.errors, gone.code) == (
          "liveview-mirror: \(Self.counter): cannot connect to http://\(server.host): Connection refused. Start the mirror with "
            + "liveview-mirror serve, or omit --mirror\n", 69
        ))
    }

    @Test(arguments: [
      (["--mirror", "https://localhost"], "must begin with http://"),
      (["--mirror", "x y"], "must be the address of a mirror"),
      (["--mirror", "localhost", "--port", "1", "--verify"], "--port, --verify: a running mirror"),
      (["--dialect", "xml"], "must be html"), (["-", "-"], "standard input (-)"),
    ])
    func `wrong usage has its own exit code`(arguments: [String], message: String) throws {
      let result = try Command.run(arguments: ["import", Self.counter] + arguments)
      #expect(result.code == 64)
      #expect(result.errors.contains(message), "\(result.errors)")
    }

    // MARK: - Into a mirror of its own

    @Test func `without --mirror a mirror starts with the files`() throws {
      let frames = [ReplayFormatTests.page] + (1...3).map { ReplayFormatTests.diff($0, at: $0) }
      let file = try TemporaryFile(frames.joined(separator: "\n"))
      // The counter has nine updates, more than are kept.
      let server = try Server(command: ["import", file.path, Self.counter], arguments: ["--versions", "5"])
      let lines = server.lines(3)
      try #require(lines.count == 3)
      #expect(lines[1] == "http://\(server.host)/views/lv:r?version=0")
      #expect(lines[2].contains(/\/views\/lv:phx-[^?]+$/))
      #expect(
        server.log.contains(" info imported content=\"frames: 1 view; 4 updates, 0 other frames\" file=\(file.path)\n"))
      #expect(
        server.log.contains(
          "the mirror keeps fewer versions than the file has, so the first ones are missing of lv:phx-"))
      for line in lines.dropFirst() {
        #expect(try Command.shell("curl -s -o /dev/null -w '%{http_code}' '\(line)'") == "200")
      }
      // The list leads to the oldest version that is kept.
      let list = try Command.shell("curl -s -H 'Accept: text/html' \(server.host)/")
      #expect(list.contains(#"href="/views/lv:r?version=0""#))
      #expect(list.contains(/href="\/views\/lv:phx-[^?]+\?version=[1-9]"/))
      let past = try Command.shell("curl -s -H 'Accept: text/html' '\(lines[1])'")
      #expect(past.contains(#"data-live="past""#))
      #expect(past.contains(">newest: v"))
      #expect(server.end() == (.exit, 0))
    }

    @Test func `a mirror does not start if a file cannot be imported`() throws {
      let result = try Command.run("import", "--port", "0", "--log-level", "error", Self.counter, "no-such-file")
      #expect(
        (result.output, result.errors, result.code) == (
          "",
          """
          liveview-mirror: cannot read no-such-file: No such file or directory
          liveview-mirror: the mirror was not started: remove the files that cannot be imported

          """, 66
        ))
    }

    @Test func `before a mirror starts, an error is all that is printed`() throws {
      let broken = try TemporaryFile(#"{"log":{"entries":["#)
      for (file, code, message) in [
        ("no-such-file", Int32(66), "cannot read no-such-file: No such file or directory\n"),
        ("Sources", 66, "cannot read Sources: Is a directory\n"),
        (broken.path, 65, "\(broken.path): at byte 19: the HAR is not complete JSON"),
      ] {
        let result = try Command.run("import", "--port", "0", file)
        #expect((result.output, result.code) == ("", code))
        #expect(result.errors.hasPrefix("liveview-mirror: " + message), "\(result.errors)")
        #expect(
          result.errors.hasSuffix(
            "\nliveview-mirror: the mirror was not started: remove the files that cannot be imported\n"))
        #expect(result.errors.split(separator: "\n").count == 2)
        let replayed = try Command.run("replay", file)
        #expect((replayed.output, replayed.code) == ("", code))
        #expect(replayed.errors.hasPrefix("liveview-mirror: " + message))
      }
    }

    // MARK: - Exports

    @Test(arguments: Recording.committed)
    func `an export that the command imports is exported with the same bytes`(recording: Recording) throws {
      let first = try Server()
      let dialect = recording.isNative ? "native" : "html"
      let traffic = try TemporaryFile(TimedTraffic(recording).lines)
      _ = try Command.shell(
        "curl -s '\(first.host)/frames?page=tab&url=http://localhost/&dialect=\(dialect)' --data-binary @\(traffic.path)"
      )
      let names = try Command.shell("curl -s \(first.host)/views").matches(of: /"view":"([^"]+)"/).map { String($0.1) }
      #expect(!names.isEmpty)
      let exports = try names.map { try Command.shell("curl -s \(first.host)/views/\($0)/export") }
      let file = try TemporaryFile(exports.joined())
      let second = try Server(command: ["import", file.path], arguments: [])
      #expect(
        Set(second.lines(names.count + 1).dropFirst())
          == Set(names.map { "http://\(second.host)/views/\($0)?version=0" }))
      for (name, export) in zip(names, exports) {
        #expect(try Command.shell("curl -s \(second.host)/views/\(name)/export") == export)
      }
    }
  }
}
