import Glibc

/// The mirror's program in a child process.
final class MirrorProcess {
  let id: pid_t
  let port: UInt16
  /// The end of its output.
  let lastWords = Shared("")
  private var status: Int32?

  /// Starts the program on a free port and waits until it listens.
  init(program: String, arguments: [String] = []) throws {
    let ends = try makePipe()
    id = try spawn([program, "serve", "--port", "0"] + arguments, output: ends.writing, errors: ends.writing)
    close(ends.writing)
    var text: [UInt8] = []
    var byte: UInt8 = 0
    // The output at the start has more lines, but only one contains a URL of the server.
    let pattern = /listens on http:\/\/127\.0\.0\.1:(\d+)/
    var found: UInt16?
    while found == nil, read(ends.reading, &byte, 1) == 1 {
      text.append(byte)
      if byte == 10 { found = String(decoding: text, as: UTF8.self).firstMatch(of: pattern).flatMap { UInt16($0.1) } }
    }
    guard let found else { throw LoadFailure("\(program) does not serve: \(String(decoding: text, as: UTF8.self))") }
    port = found
    // Later output is read so that it never blocks the program. Its end may contain the reason of a
    // crash.
    drain(ends.reading, into: lastWords)
  }

  deinit {
    if status == nil {
      kill(id, SIGKILL)
      _ = wait()
    }
  }

  func terminate() { kill(id, SIGTERM) }

  /// Whether the process is running.
  var isAlive: Bool {
    if status != nil { return false }
    var code: Int32 = 0
    guard waitpid(id, &code, WNOHANG) == id else { return true }
    status = code
    return false
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: the exit code, or minus the signal that ended the process.
  func wait() -> Int32 {
    if status == nil {
      var code: Int32 = 0
      while waitpid(id, &code, 0) < 0, errno == EINTR {}
      status = code
    }
    let code = status ?? 0
    return code & 0x7f == 0 ? (code >> 8) & 0xff : -(code & 0x7f)
  }

  // MARK: - Resources

  /// Resident memory in bytes.
  var memory: Int { 1024 * (statusValue("VmRSS") ?? 0) }
  /// The maximum of resident memory in bytes.
  var peakMemory: Int { 1024 * (statusValue("VmHWM") ?? 0) }
  var threads: Int { statusValue("Threads") ?? 0 }
  var descriptors: Int { names(in: "/proc/\(id)/fd").count }

  /// Seconds of processor time since the start.
  var processorTime: Double {
    guard let text = contents(of: "/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return 0 }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return Double((Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Processor time in nanoseconds, from the scheduler. Valid as long as no thread ends.
  var workedTime: Double {
    let times = names(in: "/proc/\(id)/task").map { contents(of: "/proc/\(id)/task/\($0)/schedstat") }
    return times.reduce(0) { $0 + (($1?.split(separator: " ").first).flatMap { Double($0) } ?? 0) / 1e9 }
  }

  private func statusValue(_ name: String) -> Int? {
    contents(of: "/proc/\(id)/status")?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      .flatMap { $0.split { $0 == " " || $0 == "\t" }.dropFirst().first }.flatMap { Int($0) }
  }
}

/// Starts a program.
func spawn(_ arguments: [String], output: Int32, errors: Int32? = nil) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
  var pointers = arguments.map { strdup($0) }
  defer { pointers.forEach { free($0) } }
  pointers.append(nil)
  var id: pid_t = 0
  let code = posix_spawnp(&id, arguments[0], &actions, nil, pointers, environ)
  guard code == 0 else { throw LoadFailure("cannot start \(arguments[0]): \(String(cString: strerror(code)))") }
  return id
}

/// A pipe that other programs do not inherit.
func makePipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw LoadFailure("no pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// Reads a pipe on its own thread until the end, and keeps the last bytes.
func drain(_ descriptor: Int32, into last: Shared<String>) {
  thread {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      last.change { $0 = String(($0 + text).suffix(4096)) }
    }
    close(descriptor)
  }
}

func contents(of path: String) -> String? {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var text: [UInt8] = []
  var bytes = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return String(decoding: text, as: UTF8.self) }
    text += bytes[..<count]
  }
}

func names(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
