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

    @Test func `a mirror that responds with 200 is healthy`() throws {
      let server = try Server()
      let port = try port(of: server)
      let result = try Command.run("healthcheck", "--port", port)
      #expect((result.output, result.errors, result.code) == ("", "", 0))
      #expect(try Command.run("healthcheck", environment: ["MIRROR_PORT": port]).code == 0)
      #expect(
        try Command.run("healthcheck", environment: ["MIRROR_PORT": port, "MIRROR_ADDRESS": "0.0.0.0"]).code == 0)
      #expect(try Command.run("healthcheck", "--port", port, environment: ["MIRROR_PORT": "1"]).code == 0)
    }

    @Test func `the health check works over IPv6`() throws {
      let server = try Server("--address", "::1")
      let port = try port(of: server)
      for address in ["::1", "::"] {
        #expect(try Command.run("healthcheck", "--address", address, "--port", port).code == 0)
      }
    }

    @Test func `a port without a listener is reported`() throws {
      let server = try Server()
      let port = try port(of: server)
      _ = server.end()
      let result = try Command.run("healthcheck", "--port", port)
      #expect(result.code == 1)
      #expect(result.errors == "liveview-mirror: cannot connect to http://127.0.0.1:\(port): Connection refused\n")
    }

    @Test func `a response other than 200 is unhealthy`() throws {
      let server = HTTPServer(handler: ClosureHandler { _ in HTTPResponse(status: .serviceUnavailable) })
      try server.start()
      defer { server.stop() }
      let result = try Command.run("healthcheck", "--port", String(server.port))
      #expect((result.errors, result.code) == ("liveview-mirror: the response of /healthz has the status 503\n", 1))
    }

    @Test func `a server that does not respond is unhealthy after the timeout`() throws {
      let listener = try SilentListener()
      let result = try Command.run("healthcheck", "--port", String(listener.port), "--timeout", "1s")
      #expect(
        (result.errors, result.code) == (
          "liveview-mirror: http://127.0.0.1:\(listener.port) does not respond within 1 s\n", 1
        ))
    }

    @Test(arguments: [["--port", "0"], ["--port", "x"], ["--address", "localhost"], ["--timeout", "0s"]])
    func `wrong usage has its own exit code`(arguments: [String]) throws {
      #expect(try Command.run("healthcheck", arguments[0], arguments[1]).code == 64)
    }
  }
}

/// A listening socket that never sends anything.
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
