import NIOSSL

/// A certificate for 127.0.0.1 that no authority has signed. Its key is public, so it proves nothing.
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
