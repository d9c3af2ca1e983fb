internal import CLibrary

/// Receives SIGINT and SIGTERM, which request the end of the program. The signal handler writes
/// their numbers into a pipe, and a thread of the program reads them from it. `ShutdownSignal`,
/// `ChildProgram` and `Signals` use it.
///
/// A signal handler must not lock or allocate, but it may write to a pipe. A dispatch source would
/// lose the signals that arrive before its registration, and did not fire under `swift test`;
/// `sigwait` needs the signals blocked in every thread.
public struct SignalPipe: Sendable {
  private let readEnd: Int32

  /// Opened once and never closed.
  private static let shared: SignalPipe? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipeWriteEnd = ends[1]
    return SignalPipe(readEnd: ends[0])
  }()

  /// Catches both signals from now on, and discards the numbers of earlier signals that nobody has
  /// read. There must be only one reader at a time.
  ///
  /// - Returns: `nil` if the process has no free file descriptor. The signals then end the program,
  ///   as by default.
  public static func catchSignals() -> SignalPipe? {
    guard let shared else { return nil }
    while shared.hasNext { _ = shared.next() }
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = noteSignal
    #else
      action.__sigaction_handler.sa_handler = noteSignal
    #endif
    action.sa_flags = Int32(SA_RESTART)
    var caught = sigset_t()
    sigemptyset(&caught)
    for number in [SIGINT, SIGTERM] {
      sigaction(number, &action, nil)
      sigaddset(&caught, number)
    }
    // A program inherits the signal mask of its parent's thread. A blocked signal would never be
    // delivered.
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
    return shared
  }

  /// Waits for a signal; `nil` if the pipe cannot be read.
  public func next() -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = read(readEnd, &byte, 1)
      if count == 1 { return Int32(byte) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  private var hasNext: Bool {
    var polled = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }
}

/// Written once, before the signal handler is installed. A global variable with a constant initial
/// value, so that reading it in the signal handler runs no initialiser.
nonisolated(unsafe) private var signalPipeWriteEnd: Int32 = -1

private let noteSignal: @convention(c) (Int32) -> Void = { number in
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipeWriteEnd, &byte, 1)
  errno = error
}
