import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  @Suite struct ServeTests {
    @Test func `it prints where it listens, answers there, and ends with 0 when asked to`() async throws {
      let process = Process()
      process.executableURL = try Command.program
      process.arguments = ["serve", "--port", "0"]
      process.currentDirectoryURL = Fixtures.root
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer { process.terminate() }

      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let address = try #require(line.firstMatch(of: /^liveview-mirror listens on (http:\/\/127\.0\.0\.1:\d+)\n$/)).1
      let curl = { (arguments: [String]) throws -> String in
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/env")
        curl.arguments = ["curl", "-s"] + arguments
        let pipe = Pipe()
        curl.standardOutput = pipe
        try curl.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        curl.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
      }
      #expect(try curl(["\(address)/healthz"]) == "{\"status\":\"ok\"}\n")
      #expect(
        try curl(["-X", "POST", "\(address)/views/counter/rendered", "-d", #"{"0":"0","s":["<p>","</p>"]}"#]).contains(
          "\"version\":0"))
      #expect(
        try curl(["-X", "POST", "\(address)/views/counter/diffs", "-d", #"{"0":"1"}"#]).contains("\"version\":1"))
      #expect(try curl(["\(address)/assets/inspector.css"]).isEmpty == false)

      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 0)
    }

    @Test func `a port that is taken is told with a way out`() throws {
      let holder = Process()
      holder.executableURL = try Command.program
      holder.arguments = ["serve", "--port", "0"]
      holder.currentDirectoryURL = Fixtures.root
      let output = Pipe()
      holder.standardOutput = output
      try holder.run()
      defer { holder.terminate() }
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let port = try #require(line.firstMatch(of: /:(\d+)\n$/)).1

      let result = try Command.run("serve", "--port", String(port))
      #expect(result.code == 69)
      #expect(result.errors.hasSuffix("; choose another with --port, or --port 0 for a free one\n"))
    }
  }
}
