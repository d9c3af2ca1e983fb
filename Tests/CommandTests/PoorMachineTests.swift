import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  /// `serve` on machines that have less than usual: no default may refuse to start.
  @Suite struct PoorMachineTests {
    @Test(arguments: [
      "ulimit -n 1024", "ulimit -n 256", "ulimit -n 96", "unset HOME", "export LC_ALL=C LANG=C", "cd /proc",
      "umask 777",
      "command -v taskset >/dev/null && taskset -p -c 0 $$ >/dev/null",
    ])
    func `the server starts and mirrors a view`(preparation: String) throws {
      let server = try Server(arguments: [], preparation: preparation)
      let mounted = Caller(port: server.port)?.post(
        "/views/a/rendered", #"{"0":"1 €","s":["<p>","</p>"]}"#, keepingAlive: false)
      guard case .answered(status: 201, _) = mounted else {
        Issue.record("the answer is \(String(describing: mounted)), the log \(server.log)")
        return
      }
      #expect(try Command.shell("curl -s \(server.host)/views/a/tree").contains("1 €"))
      #expect(server.end() == (.exit, 0))
    }

    @Test func `a line of the log says how many connections are left`() throws {
      let server = try Server(arguments: [], preparation: "ulimit -n 256")
      #expect(server.log.contains("fewer connections, since the process may open few descriptors (ulimit -n)"))
      #expect(server.log.contains("connections=192"))
    }

    @Test func `a number of event streams that a person has set is refused`() throws {
      let program = try Fixtures.program.path
      let output = try Command.shell("ulimit -n 256; \(program) serve --port 0 --max-clients 500 2>&1; echo $?")
      #expect(
        output.hasSuffix(
          """
          1000 connections need more than the 256 descriptors that this process may open; allow fewer with --max-clients, or raise \
          the limit of the process (ulimit -n)
          69

          """), "\(output)")
    }
  }
}
