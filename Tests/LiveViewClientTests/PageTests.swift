import LiveViewMirror
import MirrorSupport
import Testing

@testable import LiveViewClient

@Suite struct PageTests {
  // MARK: - Addresses

  @Test(arguments: [
    ("http://localhost:4000", "http://localhost:4000/"),
    ("HTTPS://Example.test:443/a?b#c", "https://example.test/a?b#c"),
    ("http://[::1]:80/x y", "http://[::1]/x%20y"), ("http://user:pass@h/ü", "http://h/%C3%BC"),
  ])
  func `an address has parts`(text: String, description: String) {
    #expect(WebAddress(text)?.description == description)
  }

  @Test(arguments: ["localhost:4000", "ftp://h/", "http://", "http://h:0/", "http://h:99999/", "/path", "http://[::1"])
  func `other texts are not addresses`(text: String) { #expect(WebAddress(text) == nil) }

  /// The examples of RFC 3986, section 5.4, that a web page can contain.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../../../g", "http://a/g"), ("g/../h", "http://a/b/c/h"), ("https://x/y", "https://x/y"),
  ])
  func `a reference is resolved`(reference: String, expected: String) {
    #expect(WebAddress("http://a/b/c/d;p?q")?.resolving(reference)?.description == expected)
  }

  @Test func `a reference of another scheme is not followed`() {
    #expect(WebAddress("http://a/")?.resolving("javascript:alert(1)") == nil)
  }

  @Test func `bytes are written as Base64`() {
    let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar", "\u{ff}\u{fe}?>"]
    #expect(
      texts.map { Base64.text(Array($0.utf8)) } == [
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy", "w7/Dvj8+",
      ])
    #expect(WebAddress.decoded("a%40b%zz%4") == Array("a@b%zz%4".utf8))
    #expect(WebAddress.decoded("%+1") == Array("%+1".utf8))
  }

  // MARK: - Cookies

  private func header(_ cookies: [String], from origin: String, to target: String, at now: Int64 = 1_000) throws
    -> String?
  {
    var jar = CookieJar()
    jar.store(cookies, from: try #require(WebAddress(origin)), at: now)
    return jar.header(for: try #require(WebAddress(target)), at: now)
  }

  @Test(arguments: [
    // Path
    ("a=1", "http://h/x/y", "http://h/x/z", "a=1"), ("a=1", "http://h/x/y", "http://h/", nil),
    ("a=1; path=/", "http://h/x/y", "http://h/", "a=1"), ("a=1; Path=/x", "http://h/", "http://h/xy", nil),
    // Domain
    ("a=1", "http://w.h.test/", "http://h.test/", nil),
    ("a=1; Domain=.h.test", "http://w.h.test/", "http://v.h.test/", "a=1"),
    ("a=1; Domain=other.test", "http://h.test/", "http://other.test/", nil),
    ("a=1; Domain=com", "http://h.com/", "http://h.com/", nil),
    ("a=1; Domain=.com", "http://h.com/", "http://h.com/", nil),
    ("a=1; Domain=localhost", "http://localhost/", "http://localhost/", "a=1"),
    ("a=1; Domain=localhost", "http://localhost/", "http://w.localhost/", nil),
    // Secure
    ("a=1; Secure", "https://h/", "http://h/", nil), ("a=1; Secure", "https://h/", "https://h/", "a=1"),
    ("a=1; Secure", "http://h/", "https://h/", nil), ("a=1; Secure", "http://localhost/", "http://localhost/", "a=1"),
    ("a=1; Secure", "http://127.0.0.1/", "http://127.0.0.1/", "a=1"),
    ("a=1; Secure", "http://127.h.test/", "http://127.h.test/", nil),
    // Expiry
    ("a=1; Max-Age=0", "http://h/", "http://h/", nil), ("a=1; Max-Age=10", "http://h/", "http://h/", "a=1"),
    ("a=1; Max-Age=9223372036854775807", "http://h/", "http://h/", "a=1"),
    ("a=1; Max-Age=99999999999999999999", "http://h/", "http://h/", "a=1"),
    ("a=1; Max-Age=-99999999999999999999", "http://h/", "http://h/", nil),
    ("a=1; Max-Age=10s; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://h/", "http://h/", nil),
    ("a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://h/", "http://h/", nil),
    ("a=1; Expires=Thu, 01-Jan-70 01:00:00 GMT", "http://h/", "http://h/", "a=1"),
    ("a=\"q=x\"; HttpOnly; SameSite=Lax", "http://h/", "http://h/", "a=\"q=x\""),
    ("novalue", "http://h/", "http://h/", nil),
  ])
  func `a cookie is sent where its attributes allow`(
    cookie: String, origin: String, target: String, expected: String?
  ) throws {
    #expect(try header([cookie], from: origin, to: target) == expected)
  }

  @Test func `a later cookie replaces an earlier one, and longer paths come first`() throws {
    #expect(
      try header(["a=1; Path=/", "b=2; Path=/x", "a=3; Path=/"], from: "http://h/", to: "http://h/x") == "b=2; a=3")
  }

  @Test func `a cookie of more than 4096 bytes is ignored`() throws {
    let value = String(repeating: "x", count: 4_094)
    #expect(try header(["ab=\(value)"], from: "http://h/", to: "http://h/")?.utf8.count == 4_097)
    #expect(try header(["abc=\(value)"], from: "http://h/", to: "http://h/") == nil)
  }

  @Test func `a host has at most 50 cookies, and the jar 3000`() throws {
    var jar = CookieJar()
    let (host, other) = (try #require(WebAddress("http://h/")), try #require(WebAddress("http://other/")))
    jar.store(["kept=1"], from: other, at: 1_000)
    jar.store((1...60).map { "n\($0)=\($0)" }, from: host, at: 1_000)
    #expect(jar.cookies.count == 51)
    #expect(jar.header(for: host, at: 1_000) == (11...60).map { "n\($0)=\($0)" }.joined(separator: "; "))
    #expect(jar.header(for: other, at: 1_000) == "kept=1")
    for number in 1...3_000 { jar.store(["a=1"], from: try #require(WebAddress("http://h\(number)/")), at: 1_000) }
    #expect(jar.cookies.count == 3_000)
    #expect(jar.header(for: other, at: 1_000) == nil)
  }

  @Test(arguments: [("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Wed, 21 Oct 2015 07:28:00 GMT", 1_445_412_480)])
  func `dates are read`(text: String, seconds: Int) { #expect(CookieDate.seconds(text) == Int64(seconds)) }

  @Test func `days that a month does not have are no dates`() {
    let days = [
      (29, "Feb 2023"), (29, "Feb 2024"), (30, "Feb 2024"), (31, "Apr 2024"), (31, "Dec 2024"), (0, "May 2024"),
    ]
    let areDates = days.map { CookieDate.seconds("\($0) \($1) 00:00:00 GMT") != nil }
    #expect(areDates == [false, true, false, false, true, false])
  }

  // MARK: - Pages

  @Test func `a page's LiveViews, token, title and socket are found`() throws {
    let markup = """
      <!DOCTYPE html><html lang="en" phx-socket="/admin/live"><head><title> My
       App </title><meta name="csrf-token" content="T&amp;1"></head><body>
      <div id="a" data-phx-main data-phx-session="S1" data-phx-static="ST"><div id="b" data-phx-parent-id="a" \
      data-phx-session="S2" data-phx-static="SB"></div></div><div id="c" data-phx-session="S3" data-phx-static="" data-phx-sticky></div>
      </body></html>
      """
    let page = FetchedPage(Array(markup.utf8), at: try #require(WebAddress("http://h/")))
    #expect((page.title, page.csrfToken, page.socketPath) == ("My App", "T&1", "/admin/live"))
    #expect(page.roots.map(\.id) == ["a", "c"])
    #expect(page.roots.map(\.isMain) == [true, false])
    #expect(page.roots.map(\.isSticky) == [false, true])
    #expect(page.statics == ["a": "ST", "b": "SB"])
    let loader = PageLoader(ClientOptions(), for: page.address)
    #expect(loader.socketAddress(of: page).description == "http://h/admin/live/websocket?_csrf_token=T%261&vsn=2.0.0")
  }

  @Test func `a native page has its token in an element`() throws {
    let markup =
      #"<csrf-token value="N" /><div id="a" data-phx-main data-phx-session="S" data-phx-static="T"><VStack></VStack></div>"#
    let page = FetchedPage(Array(markup.utf8), at: try #require(WebAddress("http://h/")))
    #expect((page.csrfToken, page.roots.map(\.id)) == ("N", ["a"]))
  }

  // MARK: - JSON

  @Test func `members and elements are found without reading what is between them`() {
    let slice = JSONSlice(
      Array(#" {"a" : [1, {"b":"]\""}, "x,y" ,null], "c\"d":{"e":"\u00fc\ud83d\ude00\n"}, "n":-12} "#.utf8))
    #expect(slice["a"]?.elements?.map(\.text) == ["1", #"{"b":"]\""}"#, #""x,y""#, "null"])
    #expect(slice["c\"d"]?["e"]?.string == "ü😀\n")
    #expect((slice["n"]?.integer, slice["a"]?.elements?[3].isNull) == (-12, true))
    #expect(slice["b"]?.text == nil)
    for broken in ["{", "[1,", #"{"a""#, "", "[\"", "[\"\\"] {
      #expect(JSONSlice(Array(broken.utf8)).elements?.count == nil)
    }
  }

  @Test func `values are written as JSON`() {
    let value: JSONValue = ["a": [1, 2.5, true, nil], "b\"": "x\ny"]
    #expect(value.text == #"{"a":[1,2.5,true,null],"b\"":"x\ny"}"#)
  }
}
