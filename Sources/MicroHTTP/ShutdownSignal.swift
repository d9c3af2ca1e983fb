#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A request to end the program: Ctrl-C, or what `kill` and Docker send.
public enum ShutdownSignal: Sendable, Hashable {
  case interrupt
  case terminate

  /// Waits for the first of the two. A signal that came before ends the program as ever; where that matters, make a
  /// ``Listener`` first.
  @discardableResult
  public static func wait() -> ShutdownSignal { Listener().wait() }

  /// Catches the signals from its making on; there is one at a time.
  ///
  /// The handler writes the signal's number into a pipe, and ``wait()`` reads it. (A dispatch source over an ignored signal
  /// was not told of it under `swift test`, and `sigwait` wants the signals blocked in every thread of the program.)
  public struct Listener: Sendable {
    public init() {
      // What an earlier listener left over.
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
      // A program inherits what its parent's thread had blocked, and would never hear of it.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits for the first signal. The next one ends the program as if nobody had listened: whoever presses Ctrl-C twice
    /// does not want to wait any longer.
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

/// The one way out of a signal handler, which may not take a lock or allocate, but may write.
private struct SignalPipe {
  let readEnd: Int32

  /// Opened at the first listener, for the rest of the program; `nil` when the system has no descriptor left.
  static let shared: SignalPipe? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipeWriteEnd = ends[1]
    return SignalPipe(readEnd: ends[0])
  }()
}

/// Written once before the handler is installed. Outside of any type, so that reading it needs no initialiser.
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
