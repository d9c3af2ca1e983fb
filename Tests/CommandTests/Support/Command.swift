import Foundation
import RecordingFixtures

/// The program as it is built, run as a user runs it.
struct Command {
  struct Result {
    var output: String
    var errors: String
    var code: Int32
    /// The output with every time in it replaced, so that it can be compared.
    var timeless: String { output.replacing(/\d+ µs/, with: "N µs") }
    /// As ``timeless``, and without the reason why an update was computed in full.
    var pathless: String { timeless.replacing(#/  full: .*/#, with: "") }
  }

  static func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    try run(Fixtures.program, arguments, input: input, environment: environment)
  }

  /// The variables of the test, and of `MIRROR_…` these alone: a machine that sets some must not change a test.
  static func environment(with variables: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MIRROR_") }.merging(variables) { $1 }
  }

  /// What a line of a shell prints.
  static func shell(_ line: String) throws -> String {
    try run(URL(filePath: "/bin/sh"), ["-c", line]).output
  }

  private static func run(
    _ program: URL, _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.environment = Self.environment(with: environment)
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = Fixtures.root
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self),
      code: process.terminationStatus)
  }
}
