import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  @Suite struct HelpTests {
    @Test func `the commands of the help work when their lines are pasted one by one`() throws {
      let help = try Command.run("--help").output
      let lines = help.split(separator: "\n").filter { $0.hasPrefix("  curl ") }.map { String($0.dropFirst(2)) }
      #expect(
        lines == [
          #"curl localhost:8080/views/counter/rendered -d '{"0":"0","s":["<p>","</p>"]}'"#,
          #"curl localhost:8080/views/counter/diffs -d '{"0":"1"}'"#,
        ])
      let server = try Server()
      for line in lines {
        let command = line.replacing("curl ", with: "curl -s -o /dev/null -w '%{http_code} ' ")
        #expect(try ["201 ", "200 "].contains(Command.shell(command.replacing("localhost:8080", with: server.host))))
      }
      #expect(try Command.shell("curl -s \(server.host)/views/counter/html") == "<p>1</p>")
    }

    @Test func `attach has its help and version without the second program`() throws {
      let folder = try TemporaryFolder([:])
      try FileManager.default.copyItem(at: try Fixtures.program, to: URL(filePath: "\(folder.path)/liveview-mirror"))
      func run(_ arguments: String) throws -> Command.Result {
        try folder.shell("PATH=/nowhere ./liveview-mirror attach \(arguments)", environment: [:], path: "/")
      }
      #expect(try run("--help").output.contains("--give-up <time>"))
      #expect(try run("--version").output == "\(LiveViewMirrorCommand.version)\n")
      let missing = try run("http://localhost:4000/")
      #expect(missing.code == 69)
      #expect(missing.errors.contains("attach needs the program liveview-mirror-attach"))
      #expect(try run("").code == 64)
    }

    @Test func `errors of flags have one form, and an unknown flag has a suggestion`() throws {
      let unknown = try Command.run("check", "a.har", "--marksown", "a.md")
      #expect(
        (unknown.errors, unknown.code) == (
          """
          liveview-mirror: Unknown option '--marksown'. Did you mean '--markdown'?
          liveview-mirror check --help lists the options

          """, 64
        ))
      let invalid = try Command.run("push", "main", "--event", "a", "--wait", "5")
      #expect(invalid.errors.hasPrefix("liveview-mirror: --wait: “5” must be a time"))
    }

    @Test func `an unknown command has a suggestion`() throws {
      let similar = try Command.run("chekc", "a.har")
      #expect(
        (similar.errors, similar.code) == ("liveview-mirror: “chekc” is not a command: did you mean “check”?\n", 64))
      let other = try Command.run("inspect")
      #expect(
        other.errors.hasPrefix("liveview-mirror: “inspect” is not a command: it must be one of serve, demo, attach, "))
      #expect(try Command.run("help", "check").code == 0)
    }
  }
}
