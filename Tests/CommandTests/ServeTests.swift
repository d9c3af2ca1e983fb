import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  @Suite struct ServeTests {
    @Test func `the server prints its address, responds there, and exits with 0 after a signal`() throws {
      let server = try Server()
      #expect(try Command.shell("curl -s \(server.host)/healthz") == "{\"status\":\"ok\"}\n")
      let tap = try String(contentsOf: Fixtures.root.appending(path: "Public/tap/tap.js"), encoding: .utf8)
      #expect(try Command.shell("curl -s \(server.host)/assets/tap.js") == tap)
      #expect(server.end() == (.exit, 0))
    }

    @Test(arguments: ["docs/http-api.md", "docs/inspector.md"])
    func `the first commands of a document work as written`(document: String) throws {
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
      let varying = /[\d,]+ µs(  full: .*)?/
      #expect(outputs[2].replacing(varying, with: "N µs") == promised.replacing(varying, with: "N µs"))
    }

    @Test func `the pipeline can be chosen, and change sets contain their path`() throws {
      let server = try Server("--pipeline", "full")
      let post = "curl -s \(server.host)/views/main/"
      _ = try Command.shell(post + #"rendered -d '{"0":"0","s":["<p>","</p>"]}'"#)
      #expect(try Command.shell(post + #"diffs -d '{"0":"1"}'"#).contains(/"path":"full","path_reason":"[^"]+",/))
    }

    @Test func `verification without the scoped pipeline is refused`() throws {
      let result = try Command.run("serve", "--pipeline", "full", "--verify")
      #expect(result.code == 64)
      #expect(result.errors.contains("--verify compares with the full pipeline, so --pipeline must not be full"))
    }

    @Test func `a used port is reported with a remedy`() throws {
      let server = try Server()
      let port = try #require(server.host.split(separator: ":").last)
      let result = try Command.run("serve", "--port", String(port))
      #expect(result.code == 69)
      #expect(result.errors.hasSuffix("; choose another with --port, or --port 0 for a free one\n"))
    }

    @Test
    func
      `a foreign address and too many clients are each reported with a remedy`()
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

    @Test func `a refused origin is logged once, with the flag that allows it`() throws {
      let server = try Server("--log-level", "warning")
      for path in ["frames", "pages/a", "frames"] {
        _ = try Command.shell("curl -s -H 'Origin: http://127.0.0.1:4000' -d '[]' \(server.host)/\(path)")
      }
      let advice =
        "a page of http://127.0.0.1:4000 was refused; start the mirror with --allow-origin http://127.0.0.1:4000"
      #expect(server.log.matches(of: try Regex(NSRegularExpression.escapedPattern(for: advice))).count == 1)
      #expect(
        try Command.shell("curl -s -H 'Accept: text/html' \(server.host)/").contains("refused-http://127.0.0.1:4000"))
    }

    // MARK: - Settings

    @Test func `the log begins with every setting and its source`() throws {
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

    @Test func `the log can be JSON, and its level can be raised`() throws {
      let json = try Server("--log-format", "json")
      let lines = json.log.split(separator: "\n")
      #expect(lines.count > Setting.all.count)
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(Set(["time", "level", "message"]).isSubset(of: Set(try #require(object).keys)))
      }
      #expect(try Server("--log-level", "warning").log == "")
    }

    @Test func `an unknown variable causes a warning`() throws {
      let server = try Server("--log-level", "warning", environment: ["MIRROR_MAX_BODIES": "1"])
      #expect(server.log.hasSuffix(" warning MIRROR_MAX_BODIES is not a setting: did you mean MIRROR_MAX_BODY?\n"))
    }

    @Test func `invalid flags and variables are reported together with one exit code`() throws {
      let result = try Command.run("serve", "--port", "80x", environment: ["MIRROR_MAX_BODY": "16XB"])
      #expect(
        result.errors == """
          liveview-mirror: --port: “80x” must be a port from 0 to 65535
          liveview-mirror: MIRROR_MAX_BODY: “16XB” must be a number of bytes ≥ 1, alone or with KB, MB, GB, KiB, MiB \
          or GiB, such as 16MiB

          """)
      #expect((result.output, result.code) == ("", 64))
    }

    @Test func `the server does not listen on other addresses than localhost without a token`() throws {
      let result = try Command.run("serve", "--port", "0", environment: ["MIRROR_ADDRESS": "0.0.0.0"])
      #expect((result.output, result.code) == ("", 64))
      #expect(
        result.errors.hasPrefix("liveview-mirror: MIRROR_ADDRESS: any machine that reaches 0.0.0.0 could do everything")
      )
    }

    @Test func `the configured maximum body length is accepted`() throws {
      let server = try Server("--max-body", "1KiB")
      let post = "curl -s -o /dev/null -w '%{http_code}' \(server.host)/views/main/rendered --data-binary @-"
      func status(bytes: Int) throws -> String {
        let body = #"{"s":["\#(String(repeating: "a", count: bytes - 10))"]}"#
        return try Command.shell("printf '%s' '\(body)' | \(post)")
      }
      #expect(try status(bytes: 1_024) == "201")
      #expect(try status(bytes: 1_025) == "413")
    }

    @Test func `the metrics have Prometheus' format and change`() throws {
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
