import Foundation
import PostgresFixture
import Testing

extension CommandSuite {
  /// Several mirrors with one PostgreSQL database: a request may arrive at any of them.
  @Suite(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)")) struct SeveralMirrorsTests {
    private static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

    @Test func `each mirror accepts diffs, and all show them at once`() throws {
      let mirrors = try MirrorGroup(3)
      #expect(try mirrors.post(0, "/views/main/rendered", Self.counter).status == 201)
      for number in 1...12 {
        let answer = try mirrors.post(number % 3, "/views/main/diffs", #"{"0":"\#(number)"}"#)
        #expect(answer.status == 200 && answer.body.contains(#""version":\#(number),"#))
        for index in 0..<3 {
          #expect(try mirrors.get(index, "/views/main/html").body.contains("Count: \(number)<"))
        }
      }
      #expect(try mirrors.delete(1, "/views/main").status == 204)
      for index in 0..<3 { #expect(try mirrors.get(index, "/views/main").status == 404) }
    }

    @Test func `events arrive from the diffs of another mirror`() throws {
      let mirrors = try MirrorGroup(2)
      _ = try mirrors.post(0, "/views/main/rendered", Self.counter)
      let stream = try #require(Caller(port: mirrors.ports[1]))
      stream.send("GET /views/main/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
      _ = stream.head()
      _ = try mirrors.post(0, "/views/main/diffs", #"{"0":"1"}"#)
      #expect(stream.text(until: "\n", after: "event: change\nid: ") == "1.1")
    }

    @Test func `a subscription is listed, shown and deleted at any mirror`() throws {
      let mirrors = try MirrorGroup(3)
      _ = try mirrors.post(0, "/views/main/rendered", Self.counter)
      let made = try mirrors.post(1, "/views/main/subscriptions", #"{"node":2,"label":"mine"}"#)
      #expect(made.status == 201)
      let id = try #require(made.body.firstMatch(of: /"id":(\d+)/)).1
      _ = try mirrors.post(2, "/views/main/diffs", #"{"0":"1"}"#)
      for index in 0..<3 {
        let all = try mirrors.get(index, "/views/main/subscriptions")
        #expect(all.status == 200 && all.body.contains(#""id":\#(id),"#) && all.body.contains(#""label":"mine""#))
        let one = try mirrors.get(index, "/views/main/subscriptions/\(id)")
        #expect(one.status == 200 && one.body.contains(#""notified":1"#), "\(one.body)")
      }
      #expect(try mirrors.delete(0, "/views/main/subscriptions/\(id)").status == 204)
      for index in 0..<3 {
        #expect(try mirrors.get(index, "/views/main/subscriptions/\(id)").status == 404)
        #expect(try !mirrors.get(index, "/views/main/subscriptions").body.contains("mine"))
      }
      #expect(try mirrors.delete(2, "/views/main/subscriptions/\(id)").status == 404)
    }

    @Test func `a push reaches the carrier at another mirror, and is answered`() throws {
      let mirrors = try MirrorGroup(3)
      let join =
        #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#
      #expect(try mirrors.post(0, "/frames?page=tab", join).status == 200)
      // Each pair of the mirror that is asked and the one that has the carrier; the carrier feeds a
      // third one.
      for (asked, has) in [(0, 1), (2, 0), (1, 1)] {
        let carrier = try #require(
          Carrier(mirrors[has], page: "tab", response: #"{"diff":{"0":"\#(asked)!"}}"#, feeding: mirrors.ports[2]))
        carrier.start()
        let answer = try mirrors.post(asked, "/views/lv:r~tab/push", #"{"event":"inc","value":{"by":\#(asked)}}"#)
        #expect(answer.status == 200 && answer.body.contains(#""after":"\#(asked)!""#), "\(answer)")
        #expect(answer.body.contains(#""event":"inc""#))
        #expect(carrier.payload.contains(#""value":{"by":\#(asked)}"#))
      }
      // An answer without a diff is a message between mirrors.
      let carrier = try #require(Carrier(mirrors[1], page: "tab", response: "{}", feeding: mirrors.ports[2]))
      carrier.start()
      let answer = try mirrors.post(0, "/views/lv:r~tab/push", #"{"event":"inc"}"#)
      #expect(answer.status == 200 && answer.body.contains(#""changes":[]"#), "\(answer)")
    }

    @Test func `a push without a carrier at any mirror is refused`() throws {
      let mirrors = try MirrorGroup(2)
      let join =
        #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#
      _ = try mirrors.post(0, "/frames?page=tab", join)
      #expect(try mirrors.post(1, "/views/lv:r~tab/push", #"{"event":"inc"}"#).status == 409)
    }

    @Test func `no mirror is ready while PostgreSQL is stopped, and all are afterwards`() throws {
      let mirrors = try MirrorGroup(3, on: PostgresServer())
      _ = try mirrors.post(0, "/views/main/rendered", Self.counter)
      for index in 0..<3 { #expect(try mirrors.get(index, "/views/main").status == 200) }
      #expect(mirrors.wait(for: 200, at: "/healthz?ready"))
      try mirrors.server.stop(.fast)
      #expect(mirrors.wait(for: 503, at: "/healthz?ready"))
      #expect(mirrors.wait(for: 200, at: "/healthz"))
      for index in 0..<3 {
        #expect(try mirrors.post(index, "/views/main/diffs", #"{"0":"lost"}"#).status == 503)
        // What is in memory can be read.
        #expect(try mirrors.get(index, "/views/main/html").body.contains("Count: 0<"))
      }
      try mirrors.server.start()
      #expect(mirrors.wait(for: 200, at: "/healthz?ready"))
      for number in 1...3 {
        #expect(try mirrors.post(number % 3, "/views/main/diffs", #"{"0":"\#(number)"}"#).status == 200)
      }
      for index in 0..<3 { #expect(try mirrors.get(index, "/views/main/html").body.contains("Count: 3<")) }
    }
  }
}
