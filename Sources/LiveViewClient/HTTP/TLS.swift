internal import NIOCore

#if MIRROR_TLS
  internal import NIOSSL

  /// TLS of the connections for `https`, by swift-nio-ssl. ``Transport`` makes a value for each
  /// such connection.
  struct TLS {
    private let context: NIOSSLContext

    init(acceptsAnyCertificate: Bool) throws {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.applicationProtocols = ["http/1.1"]
      if acceptsAnyCertificate { configuration.certificateVerification = .none }
      context = try NIOSSLContext(configuration: configuration)
    }

    /// Must be called on the event loop of the channel, before other handlers are added.
    func addHandler(to channel: any Channel, host: String) throws {
      let isIP = (try? SocketAddress(ipAddress: host, port: 0)) != nil
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLClientHandler(context: context, serverHostname: isIP ? nil : host))
    }

    /// - Returns: the reason in words; `nil` for an error that is not of TLS.
    static func reason(of error: any Error) -> String? {
      guard error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError else { return nil }
      let text = "\(error)"
      if text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("ostname") || text.contains("leafCertificate") {
        return "its certificate is not trusted; --insecure-tls accepts any certificate"
      }
      // The answer of the server is not a record of TLS, or the server has closed the connection
      // without an answer.
      let isOther = ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "eofDuringHandshake", "EOF"].contains { text.contains($0) }
      return isOther ? "the server does not speak TLS on this port; use http" : "TLS failed: \(text)"
    }
  }
#else
  /// A build without swift-nio-ssl, as `MIRROR_BUILD=quick` makes it, refuses `https`. The
  /// initializer always throws, so `addHandler` never runs.
  struct TLS {
    struct Missing: Error {}

    init(acceptsAnyCertificate: Bool) throws { throw Missing() }

    func addHandler(to channel: any Channel, host: String) throws {}

    static func reason(of error: any Error) -> String? {
      error is Missing ? "this build has no TLS; build it without MIRROR_BUILD=quick" : nil
    }
  }
#endif
