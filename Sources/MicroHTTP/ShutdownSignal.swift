@preconcurrency import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A request to end the program: Ctrl-C, or what `kill` and Docker send.
public enum ShutdownSignal: Sendable, Hashable {
  case interrupt
  case terminate

  /// Waits for the first of the two. A signal that was sent before is lost on it; where that matters, make a
  /// ``Listener`` first.
  @discardableResult
  public static func wait() -> ShutdownSignal { Listener().wait() }

  /// Catches the signals from its making on.
  public struct Listener: Sendable {
    private let received = Guarded<ShutdownSignal?>(nil)
    private let sources: [any DispatchSourceSignal]

    public init() {
      let queue = DispatchQueue(label: "ShutdownSignal")
      sources = [(SIGINT, ShutdownSignal.interrupt), (SIGTERM, .terminate)].map { [received] number, meaning in
        // The source only watches; the default action would still end the process.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        // Marked, since code at the top level is isolated to the main actor and would trap on the queue.
        source.setEventHandler { @Sendable in received.change { $0 = $0 ?? meaning } }
        source.activate()
        return source
      }
    }

    /// Waits for the first signal. The next one ends the program as if nobody had listened: whoever presses Ctrl-C twice
    /// does not want to wait any longer.
    public func wait() -> ShutdownSignal {
      var first: ShutdownSignal?
      while first == nil {
        _ = received.wait(until: .now + .seconds(3600)) {
          first = $0
          return first != nil
        }
      }
      for source in sources { source.cancel() }
      signal(SIGINT, SIG_DFL)
      signal(SIGTERM, SIG_DFL)
      return first ?? .terminate
    }
  }
}
