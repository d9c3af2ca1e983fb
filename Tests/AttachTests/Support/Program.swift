import Foundation
import LiveViewClient
import RecordingFixtures
import Testing

/// A built program that runs during a test.
final class Program {
  struct TimedOut: Error, CustomStringConvertible {
    var description: String
  }

  private let process = Process()
  private let folder: URL

  /// - Parameters:
  ///   - name: the name of the program, which the build puts beside the test bundle.
  ///   - environment: additional variables. Of the variables `MIRROR_…` only these are set.
  convenience init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    try self.init(
      Fixtures.program.deletingLastPathComponent().appending(path: name), arguments, environment: environment)
  }

  init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mirror-attach-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MIRROR_") }
      .merging(environment) { $1 }
    process.currentDirectoryURL = Fixtures.root
    // Files never block a program, even if they are not read.
    process.standardOutput = try Self.file(folder.appending(path: "output"))
    process.standardError = try Self.file(folder.appending(path: "errors"))
    try process.run()
  }

  deinit {
    if process.isRunning {
      process.terminate()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  private static func file(_ url: URL) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    return try FileHandle(forWritingTo: url)
  }

  var id: Int32 { process.processIdentifier }
  var output: String { text("output") }
  var errors: String { text("errors") }

  private func text(_ name: String) -> String {
    (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
  }

  /// Sends SIGTERM and waits.
  ///
  /// - Returns: the exit code.
  @discardableResult
  func stop() async throws -> Int32 {
    process.terminate()
    return try await code()
  }

  /// Waits for the end of the program.
  func code() async throws -> Int32 {
    try await until("the end of the program") { !self.process.isRunning }
    return process.terminationStatus
  }

  /// Waits until something is true, at most 60 seconds.
  func until(_ what: String, _ condition: () async throws -> Bool) async throws {
    for _ in 0..<6_000 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw TimedOut(description: "\(what) did not happen; output: \(output); errors: \(errors)")
  }

  /// Waits for a line of the output, and returns what follows a text in it.
  func after(_ text: String) async throws -> String {
    var found = ""
    try await until("the output \"\(text)\"") {
      guard let line = output.split(separator: "\n").first(where: { $0.contains(text) }) else { return false }
      found = String(line.split(separator: text, maxSplits: 1, omittingEmptySubsequences: false).last ?? "")
      return true
    }
    return found
  }

  /// The processes that this one has started.
  var children: [Int32] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return tasks.flatMap { task in
      let text = (try? String(contentsOfFile: "/proc/\(id)/task/\(task)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// The memory of the process in KiB.
  var memory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { $0.split(separator: " ").compactMap { Int($0) }.first } ?? 0
  }
}

/// A mirror that runs during a test.
struct RunningMirror {
  let program: Program
  let address: String

  init(port: Int = 0, environment: [String: String] = [:]) async throws {
    program = try Program(
      "liveview-mirror", ["serve", "--port", String(port), "--log-level", "error"], environment: environment)
    address = try await program.after("listens on ")
  }

  var port: Int { WebAddress(address)?.port ?? 0 }

  func call(_ method: String, _ path: String, _ body: String = "") async throws -> (status: Int, json: JSONSlice) {
    let address = try #require(WebAddress(address))
    let connection = try await HTTPConnection.open(address, by: Transport(timeout: .seconds(60)))
    defer { connection.close() }
    let answer = try await connection.send(ClientRequest(method, path, body: Array(body.utf8)))
    return (answer.status, JSONSlice(answer.body))
  }

  func html(of view: String) async throws -> String {
    let (status, body) = try await call("GET", "/views/\(view)/html")
    return status == 200 ? body.text : "status \(status)"
  }
}
