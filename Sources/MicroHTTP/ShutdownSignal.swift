#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A signal that requests the end of the program.
public enum ShutdownSignal: Sendable, Hashable {
  /// `SIGINT`, sent by Ctrl-C.
  case interrupt
  /// `SIGTERM`, sent by `kill` and Docker.
  case terminate

  /// Waits for one of the two signals. A signal before this call ends the program, as by default. To avoid that, make a
  /// ``Listener`` earlier.
  @discardableResult
  public static func wait() -> ShutdownSignal { Listener().wait() }

  /// Catches both signals from its initialisation on. There must be only one listener at a time.
  ///
  /// The signal handler writes the signal's number into a pipe, and ``wait()`` reads it. (Alternatives: a dispatch source for
  /// an ignored signal did not fire under `swift test`, and `sigwait` needs the signals blocked in every thread.)
  public struct Listener: Sendable {
    /// Installs the signal handlers.
    public init() {
      // Discard the bytes that an earlier listener has not read.
      while let end = SignalPipe.shared?.readEnd, Self.isReadable(end) { _ = Self.read(end) }
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = noteSignal
      #else
        action.__sigaction_handler.sa_handler = noteSignal
      #endif
      action.sa_flags = Int32(SA_RESTART)
      sigaction(SIGINT, &action, nil)
      sigaction(SIGTERM, &action, nil)
      // A program inherits the signal mask of its parent's thread. A blocked signal would never be delivered.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits for the first signal, then restores the default action: a second Ctrl-C ends the program at once.
    public func wait() -> ShutdownSignal {
      let number = SignalPipe.shared.flatMap { Self.read($0.readEnd) }
      signal(SIGINT, SIG_DFL)
      signal(SIGTERM, SIG_DFL)
      return number == UInt8(SIGINT) ? .interrupt : .terminate
    }

    private static func read(_ end: Int32) -> UInt8? {
      var byte: UInt8 = 0
      while true {
        let count = systemRead(end, &byte, 1)
        if count == 1 { return byte }
        if count == 0 || errno != EINTR { return nil }
      }
    }

    private static func isReadable(_ end: Int32) -> Bool {
      var polled = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, 0) > 0
    }
  }
}

/// Carries signals out of the signal handler, which must not lock or allocate, but may write to a pipe.
private struct SignalPipe {
  let readEnd: Int32

  /// Opened by the first listener and never closed; `nil` if no file descriptor was available.
  static let shared: SignalPipe? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipeWriteEnd = ends[1]
    return SignalPipe(readEnd: ends[0])
  }()
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

#if canImport(Darwin)
  private let systemRead = Darwin.read
#else
  private let systemRead = Glibc.read
#endif
