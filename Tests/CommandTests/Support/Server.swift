import Foundation
import RecordingFixtures
import Testing

/// The built program, serving on a free port during a test.
final class Server {
  private let process = Process()
  private let output: FileHandle
  private let logFile: URL
  /// The standard output so far.
  private var text = ""
  /// Address and port, such as `127.0.0.1:40123`.
  let host: String

  /// - Parameters:
  ///   - environment: additional variables. Of the variables `MIRROR_…` only these are set.
  convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(arguments: arguments, environment: environment)
  }

  /// - Parameters:
  ///   - command: the command that starts the server, with its arguments before the port.
  ///   - port: the port of the flag; `nil` omits the flag.
  ///   - preparation: shell commands that run before the program, in its process, such as `ulimit
  ///     -n 256`.
  ///   - readsLog: `false` connects standard error to a pipe whose reader is closed.
  init(
    command: [String] = ["serve"], arguments: [String], environment: [String: String] = [:], port: String? = "0",
    preparation: String? = nil, readsLog: Bool = true
  ) throws {
    let program = try Fixtures.program
    let words = command + (port.map { ["--port", $0] } ?? []) + arguments
    process.executableURL = preparation == nil ? program : URL(filePath: "/bin/sh")
    process.arguments = preparation.map { ["-c", "\($0); exec \"$0\" \"$@\"", program.path] + words } ?? words
    process.environment = Command.environment(with: environment)
    process.currentDirectoryURL = Fixtures.root
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.standardOutput = pipe
    // A file never blocks the program, even if it is not read.
    logFile = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString).log")
    _ = FileManager.default.createFile(atPath: logFile.path, contents: nil)
    let nobody = Pipe()
    process.standardError = readsLog ? try FileHandle(forWritingTo: logFile) : nobody.fileHandleForWriting
    try nobody.fileHandleForReading.close()
    try process.run()
    while !text.contains("\n") {
      let data = output.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    host = String(
      try #require(text.prefixMatch(of: /liveview-mirror listens on http:\/\/((127\.0\.0\.1|\[::1\]):\d+)\n/)).1)
  }

  var port: UInt16 { host.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

  /// The lines of standard output, once it has this number of them.
  func lines(_ count: Int) -> [Substring] {
    while text.count(where: \.isNewline) < count, process.isRunning {
      text += String(decoding: output.availableData, as: UTF8.self)
    }
    return text.split(separator: "\n")
  }

  deinit {
    process.terminate()
    try? FileManager.default.removeItem(at: logFile)
  }

  var identifier: pid_t { process.processIdentifier }

  /// The log so far.
  var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

  /// Waits until a text is logged.
  func waitForLog(_ text: String) {
    while process.isRunning, !log.contains(text) { usleep(1_000) }
  }

  /// Sends a signal and waits for the end of the program.
  func end(with signal: Int32 = SIGTERM) -> (reason: Process.TerminationReason, status: Int32) {
    kill(process.processIdentifier, signal)
    return waitForEnd()
  }

  func waitForEnd() -> (reason: Process.TerminationReason, status: Int32) {
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus)
  }
}
