import Foundation
import Testing

extension CommandSuite {
  @Suite struct DemoTests {
    private let view = "lv:phx-demo~demo"

    /// A demo whose steps have all been played.
    private func demo(environment: [String: String] = [:]) throws -> Server {
      let server = try Server(command: ["demo"], arguments: ["--pause", "0s"], environment: environment)
      // Two lines at the beginning, then an empty line and two others for each step.
      let steps = server.lines(2 + 3 * 10).filter { $0.contains(#/^\d+/10 /#) }
      #expect(steps.count == 10)
      return server
    }

    @Test func `each step is played and is what it says`() throws {
      let server = try demo()
      #expect(server.lines(2)[1] == "Open http://\(server.host)/views/\(view)")
      // Nothing interrupts the steps.
      #expect(server.log.isEmpty)
      let log = try Command.shell("curl -s -H 'Accept: text/plain' '\(server.host)/views/\(view)/log'")
      let heads = log.split(separator: "\n").filter { $0.hasPrefix(view) }.map {
        $0.dropFirst(view.count + 1).replacing(#/  ([\d,]+ µs|\(still.*)$/#, with: "").replacing(/, \d+ ms,/, with: ",")
      }
      #expect(
        heads == [
          "v0  1,317 B  mounted 77 nodes, 33 subscribers",
          "v1  55 B  click toggle → 3 nodes changed, 3 subscribers notified (whole document: 33)",
          "v2  120 B  1 node changed, 1 subscriber notified (whole document: 34)",
          "v3  80 B  form validate → 2 nodes changed, 2 subscribers notified (whole document: 35)",
          "v4  105 B  form add → 4 nodes changed, 4 subscribers notified (whole document: 38)",
          "v5  21 B  click like on component 1 → 1 node changed, 1 subscriber notified (whole document: 38)",
          "v6  354 B  0 nodes changed, 0 subscribers notified (whole document: 38)",
          "v7  102 B  click next → 4 nodes changed, 4 subscribers notified (whole document: 37)",
          "! rejected  33 B  at /frame/4/12: this slot does not exist: the template has 8 slots, 0 to 7",
        ])
      #expect(log.contains("\n  180 B without effect: 26 slots "))
      #expect(log.contains("(unkeyed-list)\n"))
    }

    @Test func `a person's actions on the page are answered`() throws {
      let server = try demo()
      func push(_ arguments: String...) throws -> [Substring] {
        let result = try Command.run(
          arguments: ["push", view, "--mirror", "http://\(server.host)"] + arguments)
        #expect((result.errors, result.code) == ("", 0))
        return result.output.split(separator: "\n")
      }
      #expect(try push("--selector", "#likes button")[1].hasPrefix(#"~ 74 text  "Likes: 1 " → "Likes: 2 ""#))
      #expect(try push("--selector", "#todo-1 button")[2].hasPrefix(#"~ 21 <li>  class "done" → """#))
      #expect(try push("--selector", "#todo-2 button:last-of-type")[1].hasPrefix("- 30 <li#todo-2>"))
      #expect(try push("--selector", "#new", "--event", "submit")[1].hasPrefix("+ "))
      let typed = try push("--selector", "#new input", "--event", "change", "--value", #"{"title":"Tea & <b>"}"#)
      #expect(typed.contains { $0.contains(#"value "" → "Tea & <b>""#) })
      #expect(try push("--selector", "#next").count > 1)
    }

    @Test func `the address has the token of the mirror`() throws {
      let server = try demo(environment: ["MIRROR_TOKEN": "0123456789"])
      #expect(server.lines(2)[1] == "Open http://\(server.host)/views/\(view)?token=0123456789")
    }
  }
}
