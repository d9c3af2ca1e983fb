#if MIRROR_TLS
  import LiveViewClient
  import NIOSSL
  import ScriptedPhoenix
  import Testing

  extension ConnectionFailureTests {
    @Test func `http to a port of TLS`() async throws {
      let certificate = try Certificate()
      let app = try ScriptedApp(tls: { NIOSSLServerHandler(context: certificate.context) })
      let url = "http://127.0.0.1:\(try app.server.port)"
      let text = await message(url)
      // The server may send an alert of TLS first.
      #expect(
        ["does not answer with HTTP", "has closed the connection without an answer"].contains {
          text == "\(url): the server \($0); if it speaks TLS on this port, use https"
        }, "\(text)")
      try app.server.stop()
    }

    @Test func `https to a port without TLS`() async throws {
      let app = try ScriptedApp()
      let url = "https://127.0.0.1:\(try app.server.port)"
      #expect(await message(url) == "\(url): the server does not speak TLS on this port; use http")
      try app.server.stop()
      let raw = try RawServer("SSH-2.0-OpenSSH_9.6\r\n")
      #expect(
        await message("https://\(raw.authority)/")
          == "https://\(raw.authority): the server does not speak TLS on this port; use http")
      raw.stop()
    }
  }

  extension LivePageTests {
    @Test func `a self-signed certificate needs permission`() async throws {
      let certificate = try Certificate()
      let app = try ScriptedApp(tls: { NIOSSLServerHandler(context: certificate.context) })
      let url = try app.server.address + "/"
      let refusal = await #expect(throws: ClientError.self) { try await LiveViewClient().open(url) }
      #expect(
        refusal?.description.contains("its certificate is not trusted; --insecure-tls accepts any certificate") == true)
      var options = quick
      options.acceptsAnyCertificate = true
      try await follow(app, "/", options) { page, watch in
        try await watch.wait { $0.joined == 1 }
        try await page.push("inc", to: Self.topic)
        #expect(await page.markup(of: Self.topic) == "<p>1</p>")
      }
    }
  }

  /// A certificate for 127.0.0.1 that no authority has signed. Its key is public, so it proves
  /// nothing.
  struct Certificate {
    let context: NIOSSLContext

    init() throws {
      let certificate = try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)
      let key = try NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem)
      context = try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }

    private static let certificate = """
      -----BEGIN CERTIFICATE-----
      MIIBjzCCATagAwIBAgIUWc9c0nx8n6lSBp04rz2DcNpPKNQwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNDA5MDExOVoYDzIxMjYxMDMx
      MDkwMTE5WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAASEUfw8zXSKhKNxnrYqRv+LFlb2XTAs82hvRHWoJPjDv4QRAmZ6Wdej
      Ai58PgOePY28seI3wpVPktLuowdBpagZo2QwYjAdBgNVHQ4EFgQUOfx4uvtpSRfi
      2Tv8t5JvMvOU00wwHwYDVR0jBBgwFoAUOfx4uvtpSRfi2Tv8t5JvMvOU00wwDwYD
      VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
      IESRdCnj+OaxW4f3Ew2M5QU6rHqWCYc0hb36W4G76DoYAiApCjC879D2BrRCq+8p
      fOUyr+/bvkxQ7QIllM78suej4Q==
      -----END CERTIFICATE-----
      """

    private static let key = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAkJ08qhC+gdjuhLs
      WGXKUDhWXeD8B5PVpVDwL9bcn5ahRANCAASEUfw8zXSKhKNxnrYqRv+LFlb2XTAs
      82hvRHWoJPjDv4QRAmZ6WdejAi58PgOePY28seI3wpVPktLuowdBpagZ
      -----END PRIVATE KEY-----
      """
  }
#endif
