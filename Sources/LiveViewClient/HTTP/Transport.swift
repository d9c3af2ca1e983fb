internal import CLibrary
internal import MirrorSupport
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Opens TCP connections, with TLS for `https`. ``HTTPConnection`` and ``WebSocketConnection``
/// connect by it.
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
    let tls = address.isSecure ? try TLS(acceptsAnyCertificate: acceptsAnyCertificate) : nil
    return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(timeAmount)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .connect(host: address.host, port: address.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try tls?.addHandler(to: channel, host: address.host)
          return try configure(channel)
        }
      }
  }

  // MARK: - Errors

  /// The error of a failed connection or exchange, in words.
  ///
  /// - Returns: ``ClientError/unreachable(url:reason:)`` if no connection could be opened,
  ///   ``ClientError/failedExchange(url:reason:)`` if an open connection has failed.
  static func error(_ error: any Error, at address: WebAddress) -> ClientError {
    if let reason = connectionReason(of: error) { return .unreachable(url: address.origin, reason: reason) }
    return .failedExchange(url: address.origin, reason: exchangeReason(of: error, isSecure: address.isSecure))
  }

  /// The error of an exchange whose answer has not arrived within the time limit.
  static func timeoutError(at address: WebAddress, _ limit: Duration) -> ClientError {
    .failedExchange(url: address.origin, reason: "the server does not answer within \(Formatted.time(limit))")
  }

  /// The reason why there is no connection; `nil` for the errors of an open connection.
  private static func connectionReason(of error: any Error) -> String? {
    switch error {
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { connectionReason(of: $0.error) ?? text(of: $0.error) }
        ?? "the host \(error.host) is not known"
    case ChannelError.connectTimeout: "no connection in time"
    default: nil
    }
  }

  private static func exchangeReason(of error: any Error, isSecure: Bool) -> String {
    switch error {
    case let error as ClientResponseReader.Interrupted:
      error.hasHead
        ? "the server has closed the connection before the end of its answer"
        : "the server has closed the connection without an answer" + hint(isSecure)
    case is HTTPParserError, is NIOHTTPClientUpgradeError:
      "the server does not answer with HTTP" + (isSecure ? "" : hint(isSecure))
    default: TLS.reason(of: error) ?? text(of: error)
    }
  }

  private static func hint(_ isSecure: Bool) -> String {
    isSecure ? "; if it does not speak TLS on this port, use http" : "; if it speaks TLS on this port, use https"
  }

  private static func text(of error: any Error) -> String {
    (error as? IOError).map { SystemError(code: $0.errnoCode).description } ?? "\(error)"
  }
}
