import Foundation
import Testing

@testable import liveview_mirror

extension CommandSuite {
  @Suite struct StoppingTests {
    private func port(of server: Server) throws -> UInt16 {
      try #require(server.host.split(separator: ":").last.flatMap { UInt16($0) })
    }

    private func mount(_ port: UInt16) throws {
      let caller = try #require(Caller(port: port))
      let answer = caller.post("/views/c/rendered", #"{"0":"0","s":["<p>Count: ","</p>"]}"#, keepingAlive: false)
      guard case .answered(201, _) = answer else { throw CocoaError(.featureUnsupported) }
    }

    /// A request without its last byte. The server has sent 100 Continue, so it has accepted the
    /// request.
    private func beginRequest(_ port: UInt16) throws -> Caller {
      let caller = try #require(Caller(port: port))
      caller.send(
        "POST /views/c/diffs HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
      try #require(caller.head().hasPrefix("HTTP/1.1 100 "))
      caller.send("{")
      return caller
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `after a signal the server logs that it stops and exits with 0`(signal: Int32) throws {
      let server = try Server()
      #expect(server.end(with: signal) == (.exit, 0))
      let lines = server.log.split(separator: "\n").suffix(2).map { $0.drop { $0 != " " } }
      #expect(lines == [" info stopping signal=\(signal == SIGINT ? "SIGINT" : "SIGTERM")", " info stopped cut=0"])
    }

    @Test func `under load every begun request is answered and no applied diff is lost`() throws {
      let server = try Server()
      let port = try port(of: server)
      try mount(port)
      let outcomes = Outcomes()
      let group = DispatchGroup()
      for writer in 0..<6 {
        DispatchQueue.global().async(group: group) {
          var caller: Caller?
          var number = 0
          while true {
            // Half of them keep their connection, and half use a new one for every post.
            let keepsAlive = writer.isMultiple(of: 2)
            caller = (keepsAlive ? caller : nil) ?? Caller(port: port)
            guard let connected = caller else { return }
            number += 1
            let outcome = connected.post(
              "/views/c/diffs", #"{"0":"\#(writer).\#(number)"}"#, keepingAlive: keepsAlive)
            outcomes.add(outcome)
            guard case .answered(200, _) = outcome else { return }
          }
        }
      }
      outcomes.waitForAnswers(300)
      #expect(server.end() == (.exit, 0))
      #expect(group.wait(timeout: .now() + 60) == .success)

      var versions: Set<Int> = []
      for outcome in outcomes.all {
        switch outcome {
        case .answered(200, let body):
          let version = body.firstMatch(of: /"version":(\d+)/).flatMap { Int($0.1) }
          #expect(versions.insert(try #require(version)).inserted)
        case .answered(503, let body): #expect(body.contains("stopping"))
        case .nothing: break
        case .answered, .cut: Issue.record("\(outcome)")
        }
      }
      #expect(versions.count >= 300)
      // No version is missing, so every applied diff was answered.
      #expect(versions.min() == 1)
      #expect(versions.max() == versions.count)
      #expect(server.log.hasSuffix(" info stopped cut=0\n"))
    }

    @Test func `requests in progress are finished before the exit`() throws {
      let server = try Server("--grace", "1h")
      let port = try port(of: server)
      try mount(port)
      let caller = try beginRequest(port)
      kill(server.identifier, SIGTERM)
      server.waitForLog(" info stopping ")
      caller.send(#""0":"22"}"#)
      guard case .answered(200, let body) = caller.answer() else { throw CocoaError(.featureUnsupported) }
      #expect(body.contains(#""version":1,"#))
      #expect(server.waitForEnd() == (.exit, 0))
      #expect(server.log.hasSuffix(" info stopped cut=0\n"))
    }

    @Test func `requests that exceed the grace period are cancelled and reported`() throws {
      let server = try Server("--grace", "0s")
      let caller = try beginRequest(try port(of: server))
      #expect(server.end() == (.exit, 0))
      #expect(server.log.hasSuffix(" info stopped cut=1\n"))
      #expect(caller.answer() == .nothing)
    }

    /// A handler cannot be interrupted. Once the program went on until it returned.
    @Test func `a handler that takes longer than the grace period is abandoned`() throws {
      let server = try Server("--grace", "0s", "--pipeline", "full")
      // Each diff renders and parses the whole page again: minutes of work.
      let rendered = "{\"0\":\"x\",\"s\":[\"<p>\",\"</p>\(String(repeating: "<br>", count: 20_000))\"]}"
      let mount = "[\"1\",\"1\",\"lv:a\",\"phx_reply\",{\"status\":\"ok\",\"response\":{\"rendered\":\(rendered)}}]\n"
      let diffs = (0..<20_000).map { "[\"1\",null,\"lv:a\",\"diff\",{\"0\":\"\($0)\"}]\n" }.joined()
      let caller = try #require(Caller(port: try port(of: server)))
      caller.send(
        "POST /frames HTTP/1.1\r\nHost: localhost\r\nContent-Length: \((mount + diffs).utf8.count)\r\n\r\n\(mount)\(diffs)"
      )
      usleep(300_000)
      #expect(server.end() == (.exit, 0))
      #expect(server.log.contains("stopped reason="))
    }

    @Test func `a second signal ends the server at once`() throws {
      let server = try Server("--grace", "1h")
      let caller = try beginRequest(try port(of: server))
      kill(server.identifier, SIGTERM)
      server.waitForLog(" info stopping ")
      #expect(server.end() == (.uncaughtSignal, SIGTERM))
      #expect(caller.answer() == .nothing)
    }

    @Test func `closing the reader of its output does not end the server`() throws {
      let server = try Server(arguments: ["--log-level", "debug"], readsLog: false)
      for _ in 0..<3 {
        #expect(try Command.shell("curl -s \(server.host)/healthz") == "{\"status\":\"ok\"}\n")
      }
      #expect(server.end() == (.exit, 0))
    }
  }
}

/// The results of the posts of several threads.
private final class Outcomes: @unchecked Sendable {
  private let condition = NSCondition()
  private var outcomes: [Caller.Outcome] = []

  var all: [Caller.Outcome] { condition.withLock { outcomes } }

  func add(_ outcome: Caller.Outcome) {
    condition.withLock {
      outcomes.append(outcome)
      condition.broadcast()
    }
  }

  func waitForAnswers(_ count: Int) {
    condition.withLock { while outcomes.count < count { condition.wait() } }
  }
}
