import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  @Suite struct ServeTests {
    @Test func `it prints where it listens, answers there, and ends with 0 when asked to`() throws {
      let server = try Server()
      #expect(try Command.shell("curl -s \(server.host)/healthz") == "{\"status\":\"ok\"}\n")
      let style = try String(contentsOf: Fixtures.root.appending(path: "Public/inspector.css"), encoding: .utf8)
      #expect(try Command.shell("curl -s \(server.host)/assets/inspector.css") == style)
      #expect(server.end() == (.exit, 0))
    }

    @Test(arguments: ["README.md", "docs/isolation.md"])
    func `the first lines of a document do what it says, pasted as they are`(document: String) throws {
      let server = try Server()
      let text = try String(contentsOf: Fixtures.root.appending(path: document), encoding: .utf8)
      let blocks = text.components(separatedBy: "```")
      let position = try #require(blocks.firstIndex { $0.hasPrefix("sh\ncurl") })
      let lines = blocks[position].split(separator: "\n").dropFirst()
      #expect(lines.count == 3)
      let outputs = try lines.map { line in
        let silent = String(line).replacing("curl ", with: "curl -s ")
        return try Command.shell(silent.replacing("localhost:8080", with: server.host))
      }
      let promised = String(blocks[position + 2].dropFirst())
      let varying = /\d+ µs(  full: .*)?/
      #expect(outputs[2].replacing(varying, with: "N µs") == promised.replacing(varying, with: "N µs"))
    }

    @Test func `its pipeline can be chosen, and change sets say which way they took`() throws {
      let server = try Server("--pipeline", "full")
      let post = "curl -s \(server.host)/views/main/"
      _ = try Command.shell(post + #"rendered -d '{"0":"0","s":["<p>","</p>"]}'"#)
      #expect(try Command.shell(post + #"diffs -d '{"0":"1"}'"#).contains(/"path":"full","path_reason":"[^"]+",/))
    }

    @Test func `what would verify nothing is refused`() throws {
      let result = try Command.run("serve", "--pipeline", "full", "--verify")
      #expect(result.code == 64)
      #expect(result.errors.contains("--verify compares with the full pipeline, so --pipeline must not be full"))
    }

    @Test func `a port that is taken is told with a way out`() throws {
      let server = try Server()
      let port = try #require(server.host.split(separator: ":").last)
      let result = try Command.run("serve", "--port", String(port))
      #expect(result.code == 69)
      #expect(result.errors.hasSuffix("; choose another with --port, or --port 0 for a free one\n"))
    }

    @Test
    func
      `an address that this machine does not have, and more clients than can be, are told each with its own way out`()
      throws
    {
      let address = try Command.run("serve", "--address", "192.0.2.1", "--insecure", "--port", "0")
      #expect(address.code == 69)
      #expect(address.errors.hasSuffix("; choose others with --address and --port\n"))
      let clients = try Command.run("serve", "--port", "0", "--max-clients", "99999999")
      #expect(clients.code == 69)
      #expect(
        clients.errors.hasSuffix("; allow fewer with --max-clients, or raise the limit of the process (ulimit -n)\n"))
    }

    // MARK: - Settings

    @Test func `it begins its log with every setting and where it came from`() throws {
      let server = try Server(
        arguments: ["--versions", "7"],
        environment: ["MIRROR_PORT": "0", "MIRROR_VERSIONS": "8", "MIRROR_TOKEN": "abcdefgh", "MIRROR_MAX_BODY": ""],
        port: nil)
      let lines = server.log.split(separator: "\n").filter { $0.contains(" info setting ") }
      #expect(lines.count == Setting.all.count)
      for (line, setting) in zip(lines, Setting.all) { #expect(line.contains(" name=\(setting.name) ")) }
      #expect(lines.contains { $0.hasSuffix(" info setting from=MIRROR_PORT name=port value=0") })
      #expect(lines.contains { $0.hasSuffix(" info setting from=--versions name=versions value=7") })
      #expect(lines.contains { $0.hasSuffix(" info setting from=MIRROR_TOKEN name=token value=set") })
      #expect(lines.contains { $0.hasSuffix(" info setting from=default name=max-body value=16MiB") })
      #expect(!server.log.contains("abcdefgh"))
    }

    @Test func `the log can be JSON, and be quiet`() throws {
      let json = try Server("--log-format", "json")
      let lines = json.log.split(separator: "\n")
      #expect(lines.count > Setting.all.count)
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(Set(["time", "level", "message"]).isSubset(of: Set(try #require(object).keys)))
      }
      #expect(try Server("--log-level", "warning").log == "")
    }

    @Test func `a variable that is none is warned of`() throws {
      let server = try Server("--log-level", "warning", environment: ["MIRROR_MAX_BODIES": "1"])
      #expect(server.log.hasSuffix(" warning there is no setting MIRROR_MAX_BODIES; did you mean MIRROR_MAX_BODY?\n"))
    }

    @Test func `what cannot be is told of flags and variables alike, with one code`() throws {
      let result = try Command.run("serve", "--port", "80x", environment: ["MIRROR_MAX_BODY": "16XB"])
      #expect(
        result.errors == """
          liveview-mirror: --port: “80x” must be a port from 0 to 65535
          liveview-mirror: MIRROR_MAX_BODY: “16XB” must be a number of bytes ≥ 1, alone or with KB, MB, GB, KiB, MiB \
          or GiB, such as 16MiB

          """)
      #expect((result.output, result.code) == ("", 64))
    }

    @Test func `beyond this machine it does not go without a token`() throws {
      let result = try Command.run("serve", "--port", "0", environment: ["MIRROR_ADDRESS": "0.0.0.0"])
      #expect((result.output, result.code) == ("", 64))
      #expect(
        result.errors.hasPrefix("liveview-mirror: MIRROR_ADDRESS: any machine that reaches 0.0.0.0 could do everything")
      )
    }

    @Test func `a body may be as long as was said`() throws {
      let server = try Server("--max-body", "1KiB")
      let post = "curl -s -o /dev/null -w '%{http_code}' \(server.host)/views/main/rendered --data-binary @-"
      func status(bytes: Int) throws -> String {
        let body = #"{"s":["\#(String(repeating: "a", count: bytes - 10))"]}"#
        return try Command.shell("printf '%s' '\(body)' | \(post)")
      }
      #expect(try status(bytes: 1_024) == "201")
      #expect(try status(bytes: 1_025) == "413")
    }

    @Test func `its metrics are what Prometheus reads, and move`() throws {
      let server = try Server()
      func diffs() throws -> Substring? {
        let text = try Command.shell("curl -s \(server.host)/metrics")
        return text.split(separator: "\n").first { $0.hasPrefix("liveview_mirror_diffs_total ") }
      }
      #expect(try diffs() == "liveview_mirror_diffs_total 0")
      _ = try Command.shell(#"curl -s \#(server.host)/views/a/rendered -d '{"0":"0","s":["<p>","</p>"]}'"#)
      _ = try Command.shell(#"curl -s \#(server.host)/views/a/diffs -d '{"0":"1"}'"#)
      #expect(try diffs() == "liveview_mirror_diffs_total 1")
      let head = try Command.shell("curl -sI \(server.host)/metrics")
      #expect(head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(head.contains(" 200 "))
    }
  }
}
