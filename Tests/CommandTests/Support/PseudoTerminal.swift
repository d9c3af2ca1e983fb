import Foundation
import RecordingFixtures
import Testing

/// A pseudoterminal, and the program with it as standard error, output or input.
final class PseudoTerminal {
  private let master: Int32
  private let slave: FileHandle

  init(columns: UInt16 = 80) throws {
    var (master, descriptor): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &descriptor, nil, nil, &size) == 0)
    self.master = master
    slave = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { close(master) }

  struct Result {
    /// Everything that the terminal received.
    var screen: String
    /// Standard output, if it is not the terminal.
    var output: String
    var code: Int32
  }

  /// Runs the program with standard error on the terminal.
  ///
  /// - Parameters:
  ///   - showsOutput: whether standard output is the terminal too.
  ///   - keys: typed into the terminal when the screen contains the text.
  func run(
    _ arguments: String..., showsOutput: Bool = false, environment: [String: String] = [:],
    typing keys: [(after: String, keys: String)] = []
  ) throws -> Result {
    let process = Process()
    process.executableURL = try Fixtures.program
    process.arguments = arguments
    process.environment = Command.environment(with: ["TERM": "xterm"].merging(environment) { $1 })
    process.currentDirectoryURL = Fixtures.root
    let file = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString).txt")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardInput = slave
    process.standardError = slave
    process.standardOutput = showsOutput ? slave : try FileHandle(forWritingTo: file)
    try process.run()
    var (screen, rest): ([UInt8], ArraySlice) = ([], keys[...])
    var position = 0
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var isRunning = true
    // A program that waits for another key is ended.
    let deadline = ContinuousClock.now + .seconds(60)
    // The terminal has an end when the last program has closed it, but this process keeps it open.
    while true {
      if ContinuousClock.now > deadline { process.terminate() }
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 20) > 0 else {
        if !isRunning { break }
        isRunning = process.isRunning
        continue
      }
      let count = read(master, &bytes, bytes.count)
      if count > 0 { screen += bytes[..<count] }
      if let next = rest.first, let range = screen[position...].firstRange(of: Array(next.after.utf8)) {
        position = range.upperBound
        _ = next.keys.withCString { write(master, $0, next.keys.utf8.count) }
        rest = rest.dropFirst()
      }
    }
    process.waitUntilExit()
    return Result(
      screen: String(decoding: screen, as: UTF8.self), output: try String(contentsOf: file, encoding: .utf8),
      code: process.terminationStatus)
  }
}
