import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  /// `check`, with its exit codes.
  @Suite struct CheckTests {
    /// A counter whose first diff sends a value that the page has: 17 bytes, 3 of them without
    /// effect.
    private static let recording = """
      {"rendered":{"0":"0","1":"x","s":["<p>","</p><b>","</b>"]}}
      {"diff":{"0":"1","1":"x"}}
      {"diff":{"0":"2"}}

      """

    private func check(_ arguments: String..., input: String = Self.recording) throws -> Command.Result {
      try Command.run(arguments: ["check", "-"] + arguments, input: input)
    }

    @Test func `a recording within the budget exits with 0, and one beyond it with 1`() throws {
      let kept = try check("--bytes", "17")
      #expect((kept.errors, kept.code) == ("", 0))
      #expect(
        kept.output == """
          standard input  1 view, 2 diffs, 0 events

                           diffs  bytes  largest  nodes   waste  idle  p95
            all diffs          2     26       17      2  11.5 %   0 %    –
            (server push)      2     26       17      2  11.5 %   0 %    –

            ✓ bytes of a diff   17 B  at most 17 B  --bytes
            ✓ lists sent again     0  at most 0
            ✓ lost identities      0  at most 0
            ✓ duplicate ids        0  at most 0
            ✓ rejected frames      0  at most 0
            ✓ client errors        0  at most 0
            ✓ version skews        0  at most 0

          ✓ All 7 limits are kept

          """)
      let exceeded = try check("--bytes", "16", "--waste", "20%")
      #expect((exceeded.errors, exceeded.code) == ("", 1))
      #expect(
        exceeded.output.contains(
          "\n  ✗ bytes of a diff         17 B  at most 16 B  --bytes\n      v1 of main (server push)\n"))
      #expect(exceeded.output.hasSuffix("\n✗ 1 of 8 limits exceeded\n"))
    }

    @Test func `the budget is mirror.yml of the current folder, or the file of --budget`() throws {
      let folder = try TemporaryFolder([
        "mirror.yml": "bytes: 16\n", "other.yml": "bytes: 17\n", "a.ndjson": Self.recording,
      ])
      #expect(try folder.run("check", "a.ndjson").code == 1)
      #expect(try folder.run("check", "a.ndjson", "--bytes", "17").code == 0)
      #expect(try folder.run("check", "a.ndjson", "--budget", "other.yml").code == 0)
      let missing = try folder.run("check", "a.ndjson", "--budget", "none.yml")
      #expect(
        (missing.errors, missing.code) == ("liveview-mirror: cannot read none.yml: No such file or directory\n", 66))
    }

    @Test func `a wrong budget exits with 65, and names every problem`() throws {
      let folder = try TemporaryFolder(["mirror.yml": "byte: 16\nwaste: 2\n", "a.ndjson": Self.recording])
      let result = try folder.run("check", "a.ndjson")
      #expect((result.output, result.code) == ("", 65))
      #expect(
        result.errors == """
          liveview-mirror: mirror.yml:1:1: “byte” is not a key: did you mean “bytes”?
          liveview-mirror: mirror.yml:2:8: waste: “2” must be a share from 0% to 100%, such as 10% or 0.1, or “any”

          """)
    }

    @Test func `an event that no recording has is a warning`() throws {
      let folder = try TemporaryFolder([
        "mirror.yml": "{events: {incr: {bytes: 1}}, bytes: 99}\n", "a.ndjson": Self.recording,
      ])
      let result = try folder.run("check", "a.ndjson")
      #expect(
        (result.errors, result.code) == (
          "liveview-mirror: mirror.yml: no recording has the event “incr”, so its limits were not checked\n", 0
        ))
    }

    @Test func `--update writes a budget that the recording keeps`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording])
      let update = try folder.run("check", "a.ndjson", "--update")
      let warning =
        "liveview-mirror: a.ndjson: no frame of the client has an event, so the budget has no limits of events\n"
      #expect((update.output, update.errors, update.code) == ("wrote mirror.yml from 1 recording\n", warning, 0))
      #expect(try folder.run("check", "a.ndjson", "--strict").code == 0)
      let budget = try folder.text("mirror.yml")
      #expect(budget.contains("\nbytes: 22\nnodes: 2\ndiffs: 3\ntotal_bytes: 33\nwaste: 17%\n"))
      #expect(try folder.run("check", "a.ndjson").code == 0)
      try folder.write("mirror.yml", budget.replacing("bytes: 22", with: "bytes: 16"))
      #expect(try folder.run("check", "a.ndjson").code == 1)
      let loosened = try folder.run("check", "a.ndjson", "--update")
      #expect(
        loosened.output
          == "wrote mirror.yml from 1 recording\nit permits more than before:\n  bytes: 16 → 22\n  server_push.bytes: 16 → 22\n"
      )
    }

    @Test func `--strict fails without a budget, and for an event that no recording has`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording])
      let missing = try folder.run("check", "a.ndjson", "--strict", "--github")
      #expect(missing.code == 1)
      let reason = "there is no budget: write one with --update, or name it with --budget"
      #expect(missing.output.contains("\n  \(reason)\n\n✗ 1 failure\n"))
      #expect(missing.output.contains("::error title=liveview-mirror::\(reason)\n"))
      try folder.write("mirror.yml", "{events: {incr: {bytes: 1}}, bytes: 99}\n")
      #expect(try folder.run("check", "a.ndjson").code == 0)
      let unknown = try folder.run("check", "a.ndjson", "--strict", "--json")
      #expect(unknown.code == 1)
      #expect(unknown.output.contains(#""failures":["mirror.yml: no recording has the event “incr”, so"#))
    }

    @Test func `every exit but 0 has an annotation, and the other recordings are reported`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording, "bad.yml": "bytes: 1\nbyte: 1\n"])
      let unread = try folder.run("check", "b.ndjson", "a.ndjson", "--github", "--junit", "a.xml")
      #expect(unread.code == 66)
      #expect(
        unread.output.hasPrefix("::error title=liveview-mirror::cannot read b.ndjson: No such file or directory\n"))
      #expect(unread.output.contains("a.ndjson  1 view, 2 diffs, 0 events\n"))
      #expect(
        try folder.text("a.xml").contains("<failure message=\"cannot read b.ndjson: No such file or directory\">"))
      let budget = try folder.run("check", "a.ndjson", "--github", "--budget", "bad.yml")
      #expect(budget.code == 65)
      #expect(budget.output.hasPrefix("::error file=bad.yml,line=2,col=1,title=liveview-mirror::bad.yml:2:1: "))
      let usage = try folder.run("check", "a.ndjson", "--github", "--bytes", "x")
      #expect(usage.code == 64)
      #expect(usage.output.hasPrefix("::error title=liveview-mirror::--bytes: “x” must be a number of bytes"))
    }

    @Test func `JSON, JUnit, annotations and Markdown are written`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording])
      let result = try folder.run(
        "check", "a.ndjson", "--bytes", "16", "--github", "--junit", "a.xml", "--markdown", "a.md")
      #expect((result.errors, result.code) == ("", 1))
      #expect(
        result.output.contains(
          "✗ 1 of 7 limits exceeded\n::error title=bytes of a diff::17 B, at most 16 B (bytes at --bytes)%0A"))
      #expect(try folder.text("a.xml").contains("<testsuites name=\"liveview-mirror\" tests=\"8\" failures=\"1\">"))
      #expect(try folder.text("a.md").hasPrefix("## LiveView diffs: ❌ 1 of 7 limits exceeded\n"))
      let json = try folder.run("check", "a.ndjson", "--json").output
      #expect(json.hasPrefix("{\"ok\":true,\"checks\":[{\"file\":\"a.ndjson\","))
      #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
    }

    @Test func `a file that cannot be written exits with 73`() throws {
      let result = try check("--junit", "/nowhere/a.xml")
      #expect(
        (result.errors, result.code) == (
          "liveview-mirror: cannot write /nowhere/a.xml: No such file or directory\n", 73
        ))
    }

    @Test func `files that cannot be read, and files without a view, are all named`() throws {
      let result = try Command.run("check", "/nowhere/a", "-", "/nowhere/b", input: "[]")
      #expect(result.code == 66)
      #expect(
        result.errors.hasPrefix(
          "liveview-mirror: cannot read /nowhere/a: No such file or directory\nliveview-mirror: standard input: "))
      #expect(result.errors.hasSuffix("liveview-mirror: cannot read /nowhere/b: No such file or directory\n"))
      #expect(try check(input: "no recording").code == 65)
      #expect(
        try check(input: #"["4","4","lv:a","diff",{"0":"1"}]"#).errors.contains(
          "begin the recording before the page loads"))
    }

    @Test func `without a recording and a live page there is nothing to check`() throws {
      let result = try Command.run("check")
      #expect(result.code == 64)
      #expect(result.errors.contains("name a recording, or a live page with --attach and --steps"))
    }

    @Test(arguments: [
      (["--bytes", "many"], "--bytes: “many” must be a number of bytes ≥ 0"),
      (["--waste", "2", "--nodes", "-"], "--nodes: “-” must be a whole number ≥ 0"),
      (["--update", "--bytes", "1"], "--bytes: --update writes limits from the measurement; remove one of both"),
      (
        ["--update", "--json", "--junit", "a"],
        "--json, --junit: --update writes the budget and checks nothing; remove one of both"
      ),
      (["--steps", "a", "--cookie", "b=c"], "--steps, --cookie: these are about a live page; name it with --attach"),
      (["--attach", "http://localhost/"], "--attach needs the steps to run: --steps FILE"),
      (["--json", "--github"], "--json and --github both use standard output: remove one"),
      (["--json", "--junit", "-"], "--junit - and --json both use standard output: name a file"),
      (["-"], "standard input (-) can be checked once only"),
      (["--dialect", "xml"], "--dialect: “xml” must be html or native"),
    ])
    func `wrong usage exits with 64`(arguments: [String], message: String) throws {
      let result = try Command.run(arguments: ["check", "-"] + arguments, input: Self.recording)
      #expect(result.code == 64)
      #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `text has colours in a terminal, unless NO_COLOR is set`() throws {
      let file = try TemporaryFile(Self.recording)
      // SwiftPM sets the variable for tests. Empty counts as unset.
      let screen = try PseudoTerminal().run("check", file.path, showsOutput: true, environment: ["NO_COLOR": ""])
      #expect(screen.screen.contains("\u{1B}[32m✓ All 6 limits are kept\u{1B}[0m"), "\(screen.screen.debugDescription)")
      #expect(screen.code == 0)
      #expect(try !Command.run("check", file.path).output.contains("\u{1B}"))
      let plain = try PseudoTerminal().run("check", file.path, showsOutput: true, environment: ["NO_COLOR": "1"])
      #expect(!plain.screen.contains("\u{1B}"))
    }

    // MARK: - A running mirror

    @Test func `a view of a running mirror is checked by its page, its export, or with all views`() throws {
      let server = try Server()
      for view in ["a", "b"] {
        _ = try Command.shell(
          "curl -s \(server.host)/views/\(view)/rendered -d '{\"0\":\"0\",\"s\":[\"<p>\",\"</p>\"]}'")
        _ = try Command.shell("curl -s \(server.host)/views/\(view)/diffs -d '{\"0\":\"1\"}'")
      }
      for path in ["/views/a", "/views/a/export", "/views/a?version=1#n"] {
        let result = try Command.run("check", "http://\(server.host)\(path)", "--bytes", "8")
        #expect((result.errors, result.code) == ("", 1), "\(path)")
        #expect(result.output.contains("  1 view, 1 diff, 0 events\n"), "\(path): \(result.output)")
      }
      let all = try Command.run("check", "http://\(server.host)", "--bytes", "9")
      #expect((all.errors, all.code) == ("", 0))
      #expect(all.output.contains("  2 views, 2 diffs, 0 events\n"), "\(all.output)")
      #expect(try Command.run("check", "http://\(server.host)/views/none").code == 65)
      #expect(try Command.run("check", "https://\(server.host)").code == 64)
      _ = server.end()
      let gone = try Command.run("check", "http://\(server.host)")
      #expect(gone.code == 69)
      #expect(gone.errors.contains("cannot connect to http://\(server.host): Connection refused"), "\(gone.errors)")
    }

    @Test func `a mirror with a token needs it`() throws {
      let server = try Server("--token", "abcdefgh")
      #expect(try Command.run("check", "http://\(server.host)").code == 77)
      let empty = try Command.run("check", "http://\(server.host)", "--token", "abcdefgh")
      #expect((empty.errors, empty.code) == ("liveview-mirror: http://\(server.host): the mirror has no view\n", 65))
    }

    @Test(arguments: [
      ("http://a:8080", "http://a:8080", nil), ("http://a/", "http://a", nil),
      ("http://a/mirror/views/", "http://a/mirror", nil),
      ("http://a/views/lv:x~y/export", "http://a", "lv:x~y"),
      ("http://a/p/views/lv%3Ax%7Ey?v=1", "http://a/p", "lv:x~y"),
      ("http://a/views/views", "http://a", "views"), ("http://a/viewsx", "http://a/viewsx", nil),
    ])
    func `addresses name a mirror or a view`(text: String, mirror: String, view: String?) throws {
      let address = try ExportAddress(text)
      #expect((address.mirror.description, address.view) == (mirror, view))
    }
  }
}
