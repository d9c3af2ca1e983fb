import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  /// `serve` on machines that have less than usual: no default value prevents the start.
  @Suite struct PoorMachineTests {
    @Test(arguments: [
      "ulimit -n 1024", "ulimit -n 256", "ulimit -n 96", "unset HOME", "export LC_ALL=C LANG=C", "cd /proc",
      // Nobody may read or write the files that the program makes.
      "umask 777", "ulimit -v 160000",
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

    @Test(.enabled(if: hasTaskset, "taskset of util-linux is not installed"))
    func `the server starts on one core`() throws {
      // The lowest core that this process may use.
      let core = "$(taskset -p -c $$ | sed 's/.*: //; s/[-,].*//')"
      try `the server starts and mirrors a view`(preparation: "taskset -p -c \(core) $$ >/dev/null")
    }

    private static let hasTaskset = (try? Command.shell("command -v taskset"))?.isEmpty == false

    @Test func `a line of the log says how many connections are left`() throws {
      let server = try Server(arguments: [], preparation: "ulimit -n 256")
      #expect(server.log.contains("fewer connections, since the process may open few descriptors (ulimit -n)"))
      #expect(server.log.contains("connections=192"))
    }

    // Root has no limit of threads, so the address space is limited: each thread takes 8 MiB of it.
    @Test func `lines of the log say that there are fewer threads and less memory`() throws {
      let server = try Server(arguments: ["--page-bytes", "20MiB"], preparation: "ulimit -v 160000")
      #expect(server.log.contains("the system allows few threads (ulimit -u, ulimit -v): event loops "))
      #expect(
        server.log.contains(
          #"from="default, less because of the memory that the program may have" name=log-bytes value=13MiB"#))
      #expect(server.log.contains("from=--page-bytes name=page-bytes value=20MiB"))
    }

    @Test(.enabled(if: hasNetworkNamespaces, "ip of iproute2, or the right to make a network namespace, is missing"))
    func `without IPv6, the server starts, and an IPv6 address is an error that says so`() throws {
      let program = try Fixtures.program.path
      let output = try Command.shell(
        """
        \(Self.isolated) sh -c '
          echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; ip link set lo up
          \(program) serve --port 0 --address ::1
          \(program) serve --port 40404 & program=$!
          for _ in $(seq 1200); do curl -sf localhost:40404/healthz && break; sleep 0.05; done
          kill $program; wait $program; echo $?' 2>&1
        """)
      #expect(
        output.contains(
          "cannot listen on port 0 of ::1: this machine has no such IPv6 address; choose others with --address and --port"
        ),
        "\(output)")
      #expect(output.hasSuffix("0\n"), "\(output)")
      #expect(output.contains("listens on http://127.0.0.1:40404"))
    }

    /// Runs a command in a network of its own. Only root may do so without a user namespace, and a
    /// chroot may have none.
    private static let isolated = getuid() == 0 ? "unshare -n" : "unshare -rn"
    private static let hasNetworkNamespaces =
      (try? Command.shell("\(isolated) ip link set lo up && echo yes")) == "yes\n"

    @Test func `the files with the memory of the control groups`() {
      let files = MachineMemory.limitFiles(of: "0::/user.slice/app\n4:memory:/app\n3:cpuset:/other\n")
      #expect(
        files == [
          "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/user.slice/memory.max",
          "/sys/fs/cgroup/user.slice/app/memory.max",
          "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/app/memory.limit_in_bytes",
        ])
    }

    @Test func `a number of event streams that a person has set is refused`() throws {
      let program = try Fixtures.program.path
      let output = try Command.shell("ulimit -n 256; \(program) serve --port 0 --max-clients 500 2>&1; echo $?")
      #expect(
        output.hasSuffix(
          """
          668 connections need more than the 256 descriptors that this process may open; allow fewer with --max-clients, or raise \
          the limit of the process (ulimit -n)
          69

          """), "\(output)")
    }
  }
}
