internal import CLibrary

/// A program that this process has started. `liveview-mirror` and `liveview-mirror-attach` start
/// each other with it.
///
/// The caller must call `waitpid` once with ``id``.
public struct ChildProcess: Sendable {
  public let id: Int32
  /// The descriptor from which its standard output is read. The caller closes it.
  public let output: Int32
  /// As ``output``, for its standard error; `nil` if it shares the standard error of this program.
  public let errors: Int32?

  /// Starts a program with the environment and standard input of this one, in the same process
  /// group: Ctrl-C in a terminal, and the end of the terminal, reach both.
  ///
  /// - Parameters:
  ///   - command: the path of the program, and its arguments.
  ///   - readsErrors: whether the caller reads standard error. Otherwise the started program shares
  ///     the standard error of this process.
  public init(_ command: [String], readsErrors: Bool = false) throws(SystemError) {
    var pipes: [(number: Int32, ends: [Int32])] = []
    defer { for pipe in pipes { close(pipe.ends[1]) } }
    for number in readsErrors ? [STDOUT_FILENO, STDERR_FILENO] : [STDOUT_FILENO] {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let error = SystemError.last
        for pipe in pipes { close(pipe.ends[0]) }
        throw error
      }
      pipes.append((number, ends))
    }
    var process: pid_t = 0
    let code = Self.spawn(&process, command, pipes)
    guard code == 0 else {
      for pipe in pipes { close(pipe.ends[0]) }
      throw SystemError(code: code)
    }
    (id, output, errors) = (process, pipes[0].ends[0], readsErrors ? pipes[1].ends[0] : nil)
  }

  /// - Returns: an error number of the system, or 0.
  private static func spawn(
    _ process: inout pid_t, _ command: [String], _ pipes: [(number: Int32, ends: [Int32])]
  ) -> Int32 {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
      var (defaults, none): (sigset_t, sigset_t) = (0, 0)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
      var (defaults, none) = (sigset_t(), sigset_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, ends) in pipes { posix_spawn_file_actions_adddup2(&actions, ends[1], number) }
    for (_, ends) in pipes {
      posix_spawn_file_actions_addclose(&actions, ends[0])
      posix_spawn_file_actions_addclose(&actions, ends[1])
    }
    // A process inherits ignored and blocked signals, so both are reset: this program ignores
    // SIGPIPE, and its threads may block signals.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&defaults)
    sigemptyset(&none)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words = command.map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    return posix_spawn(&process, command[0], &actions, &attributes, words, environ)
  }
}
