internal import Dispatch
internal import MirrorSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// SIGINT and SIGTERM, which end the program. They are caught from ``install()`` on.
///
/// The signal handler writes the signal's number into a pipe, which a thread reads. A dispatch source would lose the signals that
/// arrive before its registration.
final class Signals: Sendable {
  /// The first signal.
  let first = Arrival<Int32>()
  private let lastAction = Guarded<(@Sendable () -> Void)?>(nil)

  /// Catches the signals. A closed pipe of standard output does not end the program from now on.
  ///
  /// - Returns: `nil` if the process has no free file descriptor.
  static func install() -> Signals? {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipeWriteEnd = ends[1]
    let signals = Signals()
    signals.start(reading: ends[0])
    return signals
  }

  /// Sets what is done before a second signal ends the program at once.
  func beforeForcedEnd(_ action: @escaping @Sendable () -> Void) { lastAction.withLock { $0 = action } }

  private func start(reading readEnd: Int32) {
    DispatchQueue(label: "signals").async { [self] in
      while let number = Self.next(readEnd) {
        if first.set(number) { continue }
        lastAction.withLock { $0 }?()
        signal(number, SIG_DFL)
        // Not `raise`: this thread may block the signal.
        kill(getpid(), number)
      }
    }
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
    // A program inherits the signal mask of its parent's thread. A blocked signal would never be delivered.
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
  }

  private static func next(_ readEnd: Int32) -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = read(readEnd, &byte, 1)
      if count == 1 { return Int32(byte) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}

/// Written once, before the signal handler is installed. A global variable with a constant initial value, so that reading it in
/// the signal handler runs no initialiser.
nonisolated(unsafe) private var signalPipeWriteEnd: Int32 = -1

private let noteSignal: @convention(c) (Int32) -> Void = { number in
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipeWriteEnd, &byte, 1)
  errno = error
}
