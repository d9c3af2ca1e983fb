import Foundation

/// A headless browser that is controlled over pipes.
final class Chromium {
  let tools: DevTools
  private let process: pid_t
  private let folder: URL

  /// The path of the program; `nil` if none is installed.
  static let program: String? = {
    let named = ProcessInfo.processInfo.environment["CHROMIUM"].map { [$0] } ?? []
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let candidates =
      named
      + ["chromium", "chromium-browser", "google-chrome"].flatMap { name in folders.map { "\($0)/\(name)" } }
    return candidates.first { access($0, X_OK) == 0 }
  }()

  /// Whether the tests run. They are skipped without a browser, except if all tests are required.
  static var isThere: Bool { program != nil || ProcessInfo.processInfo.environment["MIRROR_STRICT"] != nil }

  struct Missing: Error, CustomStringConvertible {
    var description: String { "no Chromium is installed; name it with the environment variable CHROMIUM" }
  }

  /// - Parameter arguments: additional arguments, such as `--host-resolver-rules=…`.
  init(_ arguments: [String] = []) throws {
    guard let program = Self.program else { throw Missing() }
    folder = FileManager.default.temporaryDirectory.appending(path: "mirror-browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let commands = try Self.pipe()
    let answers = try Self.pipe()
    defer {
      close(commands.reading)
      close(answers.writing)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, commands.reading, 3)
    posix_spawn_file_actions_adddup2(&actions, answers.writing, 4)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let all =
      [
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
        "--user-data-dir=\(folder.path)", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-dev-shm-usage", "--window-size=1200,900",
      ] + arguments + ["about:blank"]
    var pointers = all.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, pointers, environ)
    self.process = process
    tools = DevTools(reading: answers.reading, writing: commands.writing)
    guard code == 0 else { throw Missing() }
  }

  deinit {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    // Its child processes end a moment later, and may still write to the folder.
    for _ in 0..<20 where (try? FileManager.default.removeItem(at: folder)) == nil { usleep(50_000) }
  }

  /// Both ends have higher numbers than those that the browser uses, and other processes do not
  /// inherit them.
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Missing() }
    defer { ends.forEach { close($0) } }
    return (fcntl(ends[0], F_DUPFD_CLOEXEC, 20), fcntl(ends[1], F_DUPFD_CLOEXEC, 20))
  }
}
