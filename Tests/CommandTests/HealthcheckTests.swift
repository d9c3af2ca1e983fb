import Foundation
import MicroHTTP
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  @Suite struct HealthcheckTests {
    private func port(of server: Server) throws -> String {
      String(try #require(server.host.split(separator: ":").last))
    }

    @Test func `a mirror that answers is well`() throws {
      let server = try Server()
      let port = try port(of: server)
      let result = try Command.run("healthcheck", "--port", port)
      #expect((result.output, result.errors, result.code) == ("", "", 0))
      #expect(try Command.run("healthcheck", environment: ["MIRROR_PORT": port]).code == 0)
      #expect(
        try Command.run("healthcheck", environment: ["MIRROR_PORT": port, "MIRROR_ADDRESS": "0.0.0.0"]).code == 0)
      #expect(try Command.run("healthcheck", "--port", port, environment: ["MIRROR_PORT": "1"]).code == 0)
    }

    @Test func `IPv6 is asked as well`() throws {
      let server = try Server("--address", "::1")
      let port = try port(of: server)
      for address in ["::1", "::"] {
        #expect(try Command.run("healthcheck", "--address", address, "--port", port).code == 0)
      }
    }

    @Test func `where nobody listens it says so`() throws {
      let server = try Server()
      let port = try port(of: server)
      _ = server.end()
      let result = try Command.run("healthcheck", "--port", port)
      #expect(result.code == 1)
      #expect(result.errors == "liveview-mirror: cannot connect: Connection refused\n")
    }

    @Test func `another answer than 200 is not well`() throws {
      let server = HTTPServer(handler: ClosureHandler { _ in HTTPResponse(status: .serviceUnavailable) })
      try server.start()
      defer { server.stop() }
      let result = try Command.run("healthcheck", "--port", String(server.port))
      #expect((result.errors, result.code) == ("liveview-mirror: /healthz is answered with 503\n", 1))
    }

    @Test func `who says nothing is not waited for`() throws {
      let listener = try SilentListener()
      let result = try Command.run("healthcheck", "--port", String(listener.port), "--timeout", "1s")
      #expect(
        (result.errors, result.code) == (
          "liveview-mirror: the answer is not a valid HTTP response, or did not arrive in time\n", 1
        ))
    }

    @Test(arguments: [["--port", "0"], ["--port", "x"], ["--address", "localhost"], ["--timeout", "0s"]])
    func `wrong usage has its code`(arguments: [String]) throws {
      #expect(try Command.run("healthcheck", arguments[0], arguments[1]).code == 64)
    }
  }
}

/// A socket that connections are made to and nothing comes from.
private final class SilentListener {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isListening)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
