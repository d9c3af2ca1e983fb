import RecordingFixtures

/// Creates slightly malformed requests.
struct RequestMutator: Sendable {
  private static let targets = [
    "/", "/views", "/views/fuzz", "/views/fuzz/tree?version=1&depth=3", "/views/fuzz/nodes/2", "/views/fuzz/html",
    "/views/fuzz/page", "/views/fuzz/rendered", "/views/fuzz/log?after=0&limit=10&node=2", "/views/fuzz/log/1",
    "/views/fuzz/subscribers", "/views/fuzz/events?after=1.0", "/views/fuzz/subscriptions", "/views/fuzz/diffs",
    "/views/fuzz/rendered?dialect=native", "/frames", "/healthz", "/metrics", "/openapi.json",
    "/assets/inspector.css", "/assets/../Package.swift", "/assets/%2e%2e/%2e%2e/etc/passwd", "/views/%00", "/views/..",
    "//evil.test/views", "http://evil.test/views", "*", "/views/fuzz?version=99999999999999999999", "/%zz",
    "/views/%ff%fe",
    "/views/" + String(repeating: "a", count: 300), "/" + String(repeating: "/a", count: 200),
  ]
  private static let headers = [
    "Host: localhost", "Host: evil.test", "Host: localhost:8080", "Host: ", "Content-Length: 9", "Content-Length: -1",
    "Content-Length: 99999999999999999999999", "Content-Length: 0x9", "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding:\tchunked", "Connection: close", "Connection: upgrade", "Upgrade: websocket",
    "Expect: 100-continue",
    "Expect: nothing", "Accept: text/html", "Accept: text/plain;q=0.1, */*;q=NaN", "Accept-Encoding: gzip;q=0",
    "Accept-Encoding: gzip",
    "Origin: http://evil.test", "Origin: null", "Origin: http://localhost:8080", "Sec-Fetch-Site: cross-site",
    "If-None-Match: *", "If-None-Match: \"", "If-None-Match: W/\"abc\", \"d\"", "Range: bytes=0-1,5-",
    "Last-Event-ID: 1.5",
    "Last-Event-ID: 999999999999999999999.1", "Authorization: Bearer x", "Cookie: a=b; ;=", "Content-Encoding: gzip",
    "Content-Type: application/json", " folded: yes", "No colon", ": no name", "Name : space",
    "X-Long: " + String(repeating: "x", count: 9000),
    "Access-Control-Request-Method: POST",
  ]
  private static let methods = [
    "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "", "G\u{e4}T",
  ]
  private static let bodies = [
    #"{"0":"1"}"#, #"{"0":"0","s":["<p>","</p>"]}"#, "{", "", "9\r\n{\"0\":\"2\"}\r\n0\r\n\r\n",
    "ffffffffffffffff1\r\n", "5\r\nabc",
    #"{"node":2,"label":"x"}"#, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ]
  /// Bytes with a meaning in HTTP, URLs or JSON.
  private static let pieces: [[UInt8]] = [
    [0], [13], [10], [13, 10], [13, 10, 13, 10], [32], [9], [255], [0xC0, 0xAF], [0x7F], Array("%00".utf8),
    Array("%2F".utf8),
    Array("..".utf8), Array("HTTP/1.0".utf8), Array("HTTP/2.0".utf8), Array("HTTP/1.1\u{b}".utf8), Array(";".utf8),
    Array("\"".utf8),
    Array("#".utf8), Array("?".utf8), Array("&&&=".utf8), Array(repeating: 65, count: 5_000),
    Array("Content-Length: 3\r\n".utf8),
  ]

  func request(_ random: inout SplitMix) -> [UInt8] {
    let method = random.one(in: 3) ? random.of(Self.methods) : random.one(in: 2) ? "GET" : "POST"
    let body = method == "GET" && !random.one(in: 8) ? "" : random.of(Self.bodies)
    var text = "\(method) \(random.of(Self.targets)) HTTP/1.1\r\n"
    if !random.one(in: 10) { text += "Host: localhost\r\n" }
    if !body.isEmpty, !random.one(in: 4) { text += "Content-Length: \(body.utf8.count)\r\n" }
    for _ in 0..<max(0, random.below(6) - 2) { text += random.of(Self.headers) + "\r\n" }
    var bytes = Array((text + "\r\n" + body).utf8)
    // Some requests stay valid, because a request that is refused early does not reach the later
    // stages.
    for _ in 0..<max(0, random.below(8) - 4) { mutate(&bytes, &random) }
    return bytes
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    guard !bytes.isEmpty else { return }
    // Half of the mutations are at the beginning, which determines most of a request's meaning.
    let place = random.below(random.one(in: 2) ? min(bytes.count, 60) : bytes.count)
    switch random.below(7) {
    case 0: bytes[place] ^= 1 << random.below(8)
    case 1: bytes[place] = UInt8(random.below(256))
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(contentsOf: random.of(Self.pieces), at: place)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(20)))
    case 5:
      let end = min(bytes.count, place + 1 + random.below(40))
      bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.below(bytes.count))
    default: bytes.removeSubrange(place...)
    }
  }
}

extension SplitMix {
  /// A random element of a non-empty array.
  mutating func of<Element>(_ all: [Element]) -> Element { all[below(all.count)] }
}
