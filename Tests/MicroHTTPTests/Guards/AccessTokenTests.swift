import Testing

@testable import MicroHTTP

@Suite("AccessToken")
struct AccessTokenTests {
  @Test(arguments: [8, 9, 31, 511, 512])
  func `a token matches only itself, and no text of another length`(length: Int) throws {
    let text = String(repeating: "ab", count: length).prefix(length)
    let token = try AccessToken(String(text))
    #expect(token.matches(text))
    for shorter in 0..<length { #expect(!token.matches(text.prefix(shorter))) }
    for longer in ["a", "\0", String(repeating: "\0", count: 1_000)] { #expect(!token.matches(text + longer)) }
    for place in 0..<length {
      var bytes = Array(text.utf8)
      bytes[place] ^= 1
      #expect(!token.matches(String(decoding: bytes, as: UTF8.self)))
    }
  }
}
