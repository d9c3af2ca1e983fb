internal import CLibrary
internal import Dispatch
internal import MirrorSupport

/// SIGINT and SIGTERM, which end the program. They are caught from ``install()`` on.
/// ``AttachCommand`` installs them before it starts a mirror.
final class Signals: Sendable {
  /// The first signal.
  let first = Arrival<Int32>()
  private let lastAction = Guarded<(@Sendable () -> Void)?>(nil)

  /// Catches the signals. A closed pipe of standard output does not end the program from now on.
  ///
  /// - Returns: `nil` if the process has no free file descriptor.
  static func install() -> Signals? {
    signal(SIGPIPE, SIG_IGN)
    guard let pipe = SignalPipe.catchSignals() else { return nil }
    let signals = Signals()
    signals.start(reading: pipe)
    return signals
  }

  /// Sets the action that runs before a second signal ends the program at once.
  func beforeForcedEnd(_ action: @escaping @Sendable () -> Void) { lastAction.withLock { $0 = action } }

  private func start(reading pipe: SignalPipe) {
    DispatchQueue(label: "signals").async { [self] in
      while let number = pipe.next() {
        if first.set(number) { continue }
        lastAction.current?()
        signal(number, SIG_DFL)
        // Not `raise`: this thread may block the signal.
        kill(getpid(), number)
      }
    }
  }
}
