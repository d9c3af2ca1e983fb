import Foundation
import RecordingFixtures
import Testing

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
      #expect(result.errors.contains("with --pipeline full there is nothing to compare"))
    }

    @Test func `a port that is taken is told with a way out`() throws {
      let server = try Server()
      let port = try #require(server.host.split(separator: ":").last)
      let result = try Command.run("serve", "--port", String(port))
      #expect(result.code == 69)
      #expect(result.errors.hasSuffix("; choose another with --port, or --port 0 for a free one\n"))
    }
  }
}
