import Testing

@testable import liveview_mirror

extension CommandSuite {
  @Suite struct HelpTests {
    @Test func `the commands of the help work when their lines are pasted one by one`() throws {
      let help = try Command.run("--help").output
      let lines = help.split(separator: "\n").filter { $0.hasPrefix("  curl ") }.map { String($0.dropFirst(2)) }
      #expect(
        lines == [
          #"curl localhost:8080/views/counter/rendered -d '{"0":"0","s":["<p>","</p>"]}'"#,
          #"curl localhost:8080/views/counter/diffs -d '{"0":"1"}'"#,
        ])
      let server = try Server()
      for line in lines {
        let command = line.replacing("curl ", with: "curl -s -o /dev/null -w '%{http_code} ' ")
        #expect(try ["201 ", "200 "].contains(Command.shell(command.replacing("localhost:8080", with: server.host))))
      }
      #expect(try Command.shell("curl -s \(server.host)/views/counter/html") == "<p>1</p>")
    }
  }
}
