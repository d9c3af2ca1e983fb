import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  /// What `replay` does on a terminal: the progress bar and `--step`.
  @Suite struct ReplayTerminalTests {
    /// Frames that take a second at the recorded speed.
    private func timedFile() throws -> TemporaryFile {
      let page = #"{"at":0,"sent":false,"frame":\#(ReplayFormatTests.page)}"#
      return try TemporaryFile(
        ([page] + (1...10).map { ReplayFormatTests.diff($0, at: $0 * 100) }).joined(separator: "\n"))
    }

    private static var bar: Regex<(Substring, Substring?)> { /\r?\e?(\[K)? *\d+ % \[=*>? *\] \d+ of 11 frames/ }

    @Test func `the bar is drawn at intervals and erased at the end`() throws {
      let file = try timedFile()
      let result = try PseudoTerminal().run("replay", "--speed", "1", file.path)
      #expect(result.code == 0)
      let drawings = result.screen.matches(of: Self.bar).count
      // A machine that is busy draws it less often.
      #expect((1...12).contains(drawings), "\(result.screen.debugDescription)")
      #expect(result.screen.hasSuffix("\r\u{1B}[K"))
      #expect(result.screen.components(separatedBy: "\r\u{1B}[K").count - 1 == drawings)
      #expect(!result.output.contains("\u{1B}"))
      #expect(result.output.contains("main") == false && result.output.contains("lv:r v10 "))
    }

    @Test func `output on the same terminal is complete and never in the line of the bar`() throws {
      let file = try timedFile()
      let result = try PseudoTerminal().run("replay", "--speed", "1", file.path, showsOutput: true)
      #expect(result.screen.matches(of: Self.bar).count >= 1)
      let plain = try Command.run("replay", file.path)
      let text = result.screen.replacing("\r\n", with: "\n")
        .replacing(#/ *\d+ % \[=*>? *\] \d+ of 11 frames\r\e\[K/#, with: "")
      #expect(text.replacing(/[\d,]+ µs/, with: "N µs") == plain.timeless)
    }

    @Test func `a short file, JSON on a terminal and a pipe have no bar`() throws {
      let file = try timedFile()
      #expect(try PseudoTerminal().run("replay", file.path).screen == "")
      let json = try PseudoTerminal().run("replay", "--speed", "2", "--json", file.path, showsOutput: true)
      #expect(!json.screen.contains("\u{1B}") && json.screen.split(whereSeparator: \.isNewline).count == 11)
      #expect(try PseudoTerminal().run("replay", "--speed", "2", "--json", file.path).screen.contains("of 11 frames"))
      #expect(try Command.run("replay", "--speed", "2", file.path).errors == "")
    }

    @Test func `--step plays one update for each Enter key`() throws {
      let file = try timedFile()
      let prompts = (1...10).map { (after: "\($0) of 11 frames. Enter: next update, Ctrl-D: the rest ", keys: "\n") }
      let result = try PseudoTerminal().run("replay", "--step", file.path, typing: prompts)
      #expect(result.code == 0)
      #expect(result.output.matches(of: #/ µs/#).count == 11)
      #expect(result.screen.matches(of: /Enter: next update/).count == 10)
      let rest = try PseudoTerminal().run(
        "replay", "--step", file.path, typing: [prompts[0], (after: "2 of 11", keys: "\u{4}")])
      #expect(rest.screen.matches(of: /Enter: next update/).count == 2)
      #expect(rest.output.matches(of: #/ µs/#).count == 11)
    }

    @Test func `--step without a terminal reads lines of standard input`() throws {
      let file = try timedFile()
      let result = try Command.run("replay", "--step", file.path, input: "\n\n")
      #expect((result.errors, result.code) == ("", 0))
      #expect(result.output.matches(of: #/ µs/#).count == 11)
    }

    @Test func `--step reads the terminal if the file is standard input`() throws {
      let file = try timedFile()
      let program = try Fixtures.program.path
      let typed = try Command.shell(
        "(sleep 0.3; printf '\\n\\004') | script -qec \"\(program) replay --step - < \(file.path) | grep -c µs\" /dev/null"
      )
      #expect(typed.hasSuffix("11\r\n"), "\(typed)")
      let none = try Command.shell(
        "setsid \(program) replay --step - < \(file.path) 2>&1; echo $?")
      #expect(none.hasPrefix("liveview-mirror: --step cannot read the Enter key: the file is standard input, and "))
      #expect(none.hasSuffix("\n66\n"))
    }
  }
}
