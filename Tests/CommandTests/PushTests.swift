import ArgumentParser
import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

extension CommandSuite {
  /// `push`, with a carrier that reads the stream of its page and answers.
  @Suite struct PushTests {
    private static let join =
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#

    private func feed(_ server: Server) throws {
      _ = try Command.shell("curl -s '\(server.host)/frames?page=tab' -d '\(Self.join)'")
    }

    /// Answers the next push with this response.
    private func answer(_ server: Server, _ response: String) throws -> Carrier {
      let carrier = try #require(Carrier(server, page: "tab", response: response))
      carrier.start()
      return carrier
    }

    @Test func `the change set that answers the event is printed`() throws {
      let server = try Server()
      try feed(server)
      let carrier = try answer(server, #"{"diff":{"0":"1"}}"#)
      let result = try Command.run(
        "push", "lv:r~tab", "--event", "inc", "--value", #"{"by": 1}"#, "--target", "3", "--type", "submit", "--mirror",
        "http://\(server.host)")
      #expect((result.errors, result.code) == ("", 0))
      #expect(result.output.hasPrefix("lv:r~tab v1  9 B  submit inc on component 3 → 1 node changed, "))
      #expect(result.output.contains("\n~ 3 text  \"0\" → \"1\"  in 2 <p>  slot 0\n"))
      #expect(
        carrier.payload == #"{"type":"submit","event":"inc","value":{"by":1},"cid":3}"#)
    }

    @Test func `--json prints the change set as JSON`() throws {
      let server = try Server()
      try feed(server)
      _ = try answer(server, #"{"diff":{"0":"1"}}"#)
      let environment = ["MIRROR_PORT": String(try #require(server.host.split(separator: ":").last))]
      let result = try Command.run("push", "lv:r~tab", "--event", "inc", "--json", environment: environment)
      #expect((result.errors, result.code) == ("", 0))
      #expect(result.output.hasPrefix(#"{"view":"lv:r~tab","epoch":1,"version":1,"#))
      #expect(result.output.hasSuffix("}\n"))
    }

    @Test func `an event that changes nothing is answered in a line`() throws {
      let server = try Server()
      try feed(server)
      _ = try answer(server, "{}")
      let result = try Command.run("push", "lv:r~tab", "--event", "inc", "--mirror", server.host)
      #expect(result.output == "lv:r~tab v0  nothing changed\n")
      #expect((result.errors, result.code) == ("", 0))
    }

    @Test func `a page without a carrier, and a carrier that does not answer, have an exit code of their own`() throws {
      let server = try Server()
      try feed(server)
      let none = try Command.run("push", "lv:r~tab", "--event", "inc", "--mirror", server.host)
      #expect(
        none.errors.hasPrefix("liveview-mirror: No carrier is connected to page \"tab\": open the page in a browser"))
      #expect((none.output, none.code) == ("", 75))
      let silent = try #require(Carrier(server, page: "tab", response: nil))
      silent.start()
      let late = try Command.run("push", "lv:r~tab", "--event", "inc", "--wait", "200ms", "--mirror", server.host)
      #expect(late.errors.hasPrefix("liveview-mirror: No answer to \"inc\" came within 0.2 s; the view is joined."))
      #expect((late.output, late.code) == ("", 75))
    }

    @Test func `a refused request and an unreachable mirror are reported`() throws {
      let server = try Server("--token", "abcdefgh")
      let unknown = try Command.run(
        "push", "nobody", "--event", "inc", "--mirror", server.host, "--token", "abcdefgh")
      #expect(
        (unknown.errors, unknown.code) == (
          "liveview-mirror: there is no view \"nobody\"; GET /views lists all views\n", 65
        ))
      let noToken = try Command.run("push", "nobody", "--event", "inc", "--mirror", server.host)
      #expect(
        (noToken.errors, noToken.code) == (
          "liveview-mirror: the mirror needs a token: set --token, --token-file, MIRROR_TOKEN or MIRROR_TOKEN_FILE\n",
          77
        ))
      let file = try TemporaryFile("abcdefgh\n")
      #expect(
        try Command.run("push", "nobody", "--event", "inc", "--mirror", server.host, "--token-file", file.path).code
          == 65)
      _ = server.end()
      let gone = try Command.run("push", "nobody", "--event", "inc", "--mirror", server.host)
      #expect(
        (gone.errors, gone.code) == (
          "liveview-mirror: cannot connect to http://\(server.host): Connection refused. Name the mirror with --mirror, or start it "
            + "with liveview-mirror serve\n", 69
        ))
    }

    @Test(arguments: [
      ([], "name the event with --event, or the element with --node or --selector"),
      (["--node", "9", "--selector", "#a"], "--node and --selector both name the element"),
      (["--node", "9", "--target", "3", "--type", "x"], "--target, --type: the bindings of the element decide this"),
      (["--event", "a", "--value", "{"], "--value: “{” must be JSON"),
      (["--event", "a", "--value", #"1,"event":"b""#], "must be JSON"),
      (["--event", "a", "--wait", "61s"], "--wait: “61s” must be a time of at most a minute with a unit"),
      (["--event", "a", "--mirror", "https://a"], "--mirror: “https://a” must begin with http://"),
      (["--event", "a", "--token", "short"], "--token: the token must have 8 to 512 characters"),
    ])
    func `wrong usage has its own exit code`(arguments: [String], message: String) throws {
      let result = try Command.run(arguments: ["push", "main"] + arguments)
      #expect(result.code == 64)
      #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `the request names the event or the element`() throws {
      func body(_ arguments: String...) throws -> String { try PushEvent.parse(["main"] + arguments).body }
      #expect(try body("--event", "inc") == #"{"event":"inc"}"#)
      #expect(
        try body("--event", "inc", "--value", #"{"by": 1}"#, "--target", "3", "--type", "form")
          == #"{"event":"inc","type":"form","value":{"by": 1},"target":3}"#)
      #expect(try body("--node", "9") == #"{"node":9}"#)
      #expect(
        try body("--selector", "#inc \"a\"", "--event", "change", "--value", #""a=1""#)
          == ##"{"selector":"#inc \"a\"","event":"change","value":"a=1"}"##)
    }

    @Test func `an id that cannot be a view's is refused`() throws {
      #expect(try Command.run("push", "a/b", "--event", "inc").code == 64)
    }
  }
}
