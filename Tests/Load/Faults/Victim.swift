import ArgumentParser
import Glibc

/// A client process that is killed: it reads a part of a response, reports that, and then does
/// nothing.
struct Victim: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument var port: UInt16
  @Argument var target: String

  func run() throws {
    let connection = try Connection(port: port, receiveBuffer: 4096)
    connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    guard connection.fill(atMost: 512) == .bytes else { throw ExitCode(1) }
    print("reads")
    fflush(nil)
    while true { pause() }
  }
}
