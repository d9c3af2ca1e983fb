internal import CLibrary
internal import MirrorSupport

/// A signal that requests the end of the program. `liveview-mirror serve` waits for one before it
/// stops its server.
public enum ShutdownSignal: Sendable, Hashable {
  /// `SIGINT`, sent by Ctrl-C.
  case interrupt
  /// `SIGTERM`, sent by `kill` and Docker.
  case terminate

  /// Catches both signals from its initialisation on. A signal that arrives earlier ends the
  /// program, as by default. There must be only one listener at a time.
  public struct Listener: Sendable {
    private let pipe: SignalPipe?

    /// Installs the signal handlers.
    public init() { pipe = SignalPipe.catchSignals() }

    /// Waits for the first signal, then restores the default action: a second Ctrl-C ends the
    /// program at once.
    @discardableResult
    public func wait() -> ShutdownSignal {
      let number = pipe?.next()
      signal(SIGINT, SIG_DFL)
      signal(SIGTERM, SIG_DFL)
      // Without a pipe, no signal can be read; the next one ends the program by its default action.
      while number == nil { pause() }
      return number == SIGINT ? .interrupt : .terminate
    }
  }
}
