internal import NIOCore
internal import NIOPosix
internal import NIOSSL

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Opens TCP connections, with TLS for `https`.
package struct Transport: Sendable {
  /// Whether certificates are accepted that no known authority has signed.
  package var acceptsAnyCertificate: Bool
  /// The time to wait for a connection, and for each answer.
  package var timeout: Duration

  package init(acceptsAnyCertificate: Bool = false, timeout: Duration = .seconds(15)) {
    self.acceptsAnyCertificate = acceptsAnyCertificate
    self.timeout = timeout
  }

  var timeAmount: TimeAmount { .nanoseconds(Int64(timeout / .nanoseconds(1))) }

  /// Connects, and sets up the channel's handlers behind those of TLS.
  func connect<Output: Sendable>(
    to address: WebAddress, _ configure: @escaping @Sendable (any Channel) throws -> Output
  ) async throws -> Output {
    let context = address.isSecure ? try tlsContext() : nil
    return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(timeAmount)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .connect(host: address.host, port: address.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let context {
            let handler = try NIOSSLClientHandler(
              context: context, serverHostname: Self.isIP(address.host) ? nil : address.host)
            try channel.pipeline.syncOperations.addHandler(handler)
          }
          return try configure(channel)
        }
      }
  }

  private func tlsContext() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = ["http/1.1"]
    if acceptsAnyCertificate { configuration.certificateVerification = .none }
    return try NIOSSLContext(configuration: configuration)
  }

  private static func isIP(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }

  // MARK: - Errors

  /// The reason of a failed connection, in words.
  static func reason(of error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { reason(of: $0.error) } ?? "the host \(error.host) is not known"
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case ChannelError.connectTimeout: "no connection in time"
    case let error as NIOSSLError: tlsReason("\(error)")
    case let error as BoringSSLError: tlsReason("\(error)")
    case is NIOSSLExtraError: tlsReason("\(error)")
    default: "\(error)"
    }
  }

  private static func tlsReason(_ text: String) -> String {
    text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("ostname") || text.contains("leafCertificate")
      ? "its certificate is not trusted; --insecure-tls accepts any certificate" : "TLS failed: \(text)"
  }
}
