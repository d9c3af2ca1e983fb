import Testing

@testable import liveview_mirror

@Suite struct MirrorAddressTests {
  @Test(arguments: [
    ("http://localhost:8080", "localhost", 8080, "", "http://localhost:8080"),
    ("localhost:8080", "localhost", 8080, "", "http://localhost:8080"),
    ("HTTP://127.0.0.1:1/", "127.0.0.1", 1, "", "http://127.0.0.1:1"),
    ("http://mirror.test", "mirror.test", 80, "", "http://mirror.test"),
    ("http://mirror.test/dev/mirror/", "mirror.test", 80, "/dev/mirror", "http://mirror.test/dev/mirror"),
    ("http://[::1]:8080", "::1", 8080, "", "http://[::1]:8080"),
    ("[::1]", "::1", 80, "", "http://[::1]"),
  ])
  func `an address has a host, a port and a path`(
    text: String, host: String, port: Int, path: String, description: String
  ) throws {
    let address = try MirrorAddress(text)
    #expect(address == MirrorAddress(host: host, port: UInt16(port), path: path))
    #expect("\(address)" == description)
  }

  @Test(arguments: [
    "", "http://", "http://:80", "http://a:0", "http://a:65536", "http://a:x", "http://a b", "http://a\r\nX: y",
    "ftp://a",
    "http://u:p@a", "http://a?x=1", "http://a#x", "http://[::1", "http://[a]:1", "http://[::1]8080", "http://ä",
  ])
  func `a text that is not an address is malformed`(text: String) {
    #expect(throws: MirrorAddress.Failure.malformed) { try MirrorAddress(text) }
  }

  @Test func `an address with TLS has an error of its own`() {
    #expect(throws: MirrorAddress.Failure.encrypted) { try MirrorAddress("https://localhost:8080") }
  }
}
