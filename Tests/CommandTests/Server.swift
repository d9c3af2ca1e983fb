import Foundation
import RecordingFixtures
import Testing

/// The program as it serves, on a port of its own, for as long as a test needs it.
final class Server {
  private let process = Process()
  /// Such as `127.0.0.1:40123`.
  let host: String

  init(_ arguments: String...) throws {
    process.executableURL = try Command.program
    process.arguments = ["serve", "--port", "0"] + arguments
    process.currentDirectoryURL = Fixtures.root
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    host = String(try #require(line.wholeMatch(of: /liveview-mirror listens on http:\/\/(127\.0\.0\.1:\d+)\n/)).1)
  }

  deinit { process.terminate() }

  /// Asks it to end, and says how it did.
  func end() -> (reason: Process.TerminationReason, status: Int32) {
    process.terminate()
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus)
  }
}
