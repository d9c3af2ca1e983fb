import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  @Suite struct ReplayTests {
    static let counter = #"{"rendered":{"0":"0","s":["<p>Count: ","</p>"]}}"#

    @Test func `a list of updates is replayed with one line for each change`() throws {
      let result = try Command.run(
        "replay", "-", input: "\(Self.counter)\n{\"diff\":{\"0\":\"1\"}}\n{\"diff\":{\"0\":\"1\",\"t\":\"Same\"}}\n")
      #expect(
        result.pathless == """
          main v0  35 B  mounted 3 nodes, 2 subscribers  N µs
          + 2 <p>  2 nodes  under 1 document at 0
          main v1  9 B  1 node changed, 1 subscriber notified (whole document: 2)  N µs
          ~ 3 text  "Count: 0" → "Count: 1"  in 2 <p>  slot 0
            subscriber calls: 1 (one subject: 2, whole document: 2)
            body of <p>: text
          main v2  20 B  0 nodes changed, 0 subscribers notified (whole document: 2)  N µs
            3 B without effect: 1 slot 0
            title "Same"

          """)
      #expect((result.errors, result.code) == ("", 0))
    }

    @Test func `a recording is replayed in its own dialect`() throws {
      let result = try Command.run("replay", "Tests/Fixtures/wire/native-1.0.18/n01_counter.json")
      #expect(result.code == 0)
      #expect(result.output.contains("<VStack"))
      #expect(result.output.split(separator: "\n").count { $0.contains(" µs") } == 9)
    }

    @Test func `the JSON output has one change set per line with its diff`() throws {
      let result = try Command.run("replay", "--json", "-", input: "\(Self.counter)\n{\"diff\":{\"0\":\"1\"}}\n")
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines[1].hasPrefix(#"{"view":"main","epoch":1,"version":1,"#))
      #expect(lines[1].hasSuffix(#","diff":{"0":"1"}}"#))
    }

    @Test func `the JSON output has one line for each rejection`() throws {
      let result = try Command.run(
        "replay", "--json", "-", input: "\(Self.counter)\n{\"diff\":{\"7\":\"1\"}}\n{\"diff\":{\"0\":\"1\"}}\n")
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[1].hasPrefix(#"{"rejected":{"type":"about:blank","#))
      #expect(lines[1].hasSuffix(#","frame":1,"view":null}"#))
      #expect(lines[1].contains(#""pointer":"/diff/7""#))
      #expect((result.errors.isEmpty, result.code) == (false, 65))
    }

    @Test func `every diff of the full pipeline has the path and its reason, the mount has neither`() throws {
      let input = "\(Self.counter)\n{\"diff\":{\"0\":\"1\"}}\n"
      let lines = try Command.run("replay", "--pipeline", "full", "-", input: input).timeless.split(separator: "\n")
      #expect(lines[0] == "main v0  35 B  mounted 3 nodes, 2 subscribers  N µs")
      #expect(lines[2].contains(/^main v1  9 B .* N µs  full: [a-z].+$/))

      let json = try Command.run("replay", "--pipeline", "full", "--json", "-", input: input).output
      #expect(json.split(separator: "\n")[1].contains(/"path":"full","path_reason":"[^"]+",/))
    }

    @Test func `both pipelines, verified or not, print the same changes`() throws {
      let file = "Tests/Fixtures/wire/native-1.0.18/n01_counter.json"
      let full = try Command.run("replay", "--pipeline", "full", file)
      let scoped = try Command.run("replay", "--pipeline", "scoped", file)
      let verified = try Command.run("replay", "--verify", file)
      #expect(scoped.pathless == full.pathless && verified.pathless == full.pathless)
      #expect((full.code, scoped.code, verified.code) == (0, 0, 0))
    }

    @Test func `a rejected update is reported on standard error, and the rest is replayed`() throws {
      let result = try Command.run(
        "replay", "-", input: "\(Self.counter)\n{\"diff\":{\"7\":\"1\"}}\n{\"diff\":{\"0\":\"2\"}}\n")
      #expect(
        result.errors == """
          liveview-mirror: ! frame 1 rejected  line 2, at /diff/7: this slot does not exist: the template has 1 slot, \
          0 to 0
          liveview-mirror: -: 3 frames: 2 applied, 1 rejected

          """
      )
      #expect(result.timeless.contains("main v1  9 B  1 node changed"))
      #expect(result.code == 65)
    }

    @Test func `frames of another join are ignored and counted on standard error`() throws {
      let frames = ["4", "12"].map {
        #"["\#($0)","\#($0)","lv:x","phx_reply",{"response":{"rendered":{"0":"a","s":["<p>","</p>"]}},"status":"ok"}]"#
      }
      let stale = #"["4","8","lv:x","phx_reply",{"response":{"diff":{"0":"1"}},"status":"ok"}]"#
      let result = try Command.run("replay", "-", input: (frames + [stale]).joined(separator: "\n"))
      #expect(result.output.split(separator: "\n").count { $0.contains(" µs") } == 2)
      #expect(result.errors == "liveview-mirror: -: 1 of 3 frames belong to another join and were ignored\n")
      #expect(result.code == 0)
    }

    @Test func `output that cannot be written is a failure`() throws {
      let program = try Fixtures.program.path
      let line = "printf '%s' '\(Self.counter)' | '\(program)' replay - "
      #expect(try Command.shell("\(line) > /dev/full 2> /dev/null; echo $?") == "73\n")
    }

    @Test func `a container must be dead or empty`() throws {
      for (container, code) in [("dead", Int32(0)), ("empty", 0), ("kept", 64), ("", 64)] {
        let result = try Command.run("replay", "--container", container, "-", input: Self.counter)
        #expect(result.code == code)
        if code != 0 { #expect(result.errors.contains("--container: “\(container)” must be dead")) }
      }
    }

    @Test func `bad input, missing input and wrong usage have different exit codes`() throws {
      let bad = try Command.run("replay", "-", input: "[1,")
      #expect((bad.errors, bad.code) == ("liveview-mirror: -: at byte 3: unexpected end of the JSON text\n", 65))
      let empty = try Command.run("replay", "-", input: "[]")
      #expect(empty.code == 65)
      let missing = try Command.run("replay", "no-such-file")
      #expect(missing.errors == "liveview-mirror: cannot read no-such-file: No such file or directory\n")
      #expect(missing.code == 66)
      #expect(try Command.run("replay").code == 64)
      #expect(try Command.run("replay", "--dialect", "xml", "-").code == 64)
      let pipeline = try Command.run("replay", "--pipeline", "half", "-")
      #expect(pipeline.code == 64)
      #expect(pipeline.errors.contains("--pipeline: “half” must be scoped or full"))
      #expect(try Command.run("--help").code == 0)
    }
  }
}
