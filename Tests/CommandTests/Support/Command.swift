import Foundation
import RecordingFixtures

/// Runs the built program as a user does.
struct Command {
  struct Result {
    var output: String
    var errors: String
    var code: Int32
    /// The output with every time replaced, for comparisons.
    var timeless: String { output.replacing(/[\d,]+ µs/, with: "N µs") }
    /// As ``timeless``, and without the reasons for full updates.
    var pathless: String { timeless.replacing(#/  full: .*/#, with: "") }
  }

  static func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    try run(arguments: arguments, input: input, environment: environment)
  }

  static func run(
    arguments: [String], input: String = "", environment: [String: String] = [:], in folder: URL = Fixtures.root
  ) throws -> Result {
    try run(Fixtures.program, arguments, input: input, environment: environment, in: folder)
  }

  /// The test's environment. Of the variables `MIRROR_…` only these are set: variables of the
  /// machine must not affect a test.
  static func environment(with variables: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MIRROR_") }.merging(variables) { $1 }
  }

  /// The output of a shell command.
  static func shell(_ line: String) throws -> String {
    try run(URL(filePath: "/bin/sh"), ["-c", line]).output
  }

  /// Runs a script, which ends at the first command that fails.
  static func shell(_ script: String, environment: [String: String], in folder: URL) throws -> Result {
    try run(URL(filePath: "/bin/bash"), ["-ec", script], environment: environment, in: folder)
  }

  private static func run(
    _ program: URL, _ arguments: [String], input: String = "", environment: [String: String] = [:],
    in folder: URL = Fixtures.root
  ) throws -> Result {
    let process = Process()
    process.environment = Self.environment(with: environment)
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    // A program that refuses its arguments may end before it reads.
    try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self),
      code: process.terminationStatus)
  }
}
