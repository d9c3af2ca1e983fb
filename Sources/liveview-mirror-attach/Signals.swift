internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The signals that end the program.
enum Signals {
  /// A closed pipe of standard output must not end the program.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Waits for SIGINT or SIGTERM, for the end of a time, or until the task is cancelled. A second signal ends the program at once.
  static func wait(atMost time: Duration?) async {
    let (arrivals, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        continuation.yield()
      }
      source.resume()
      return source
    }
    let timer = time.map { time in
      Task {
        try? await Task.sleep(for: time)
        continuation.yield()
      }
    }
    for await _ in arrivals { break }
    timer?.cancel()
    for source in sources { source.cancel() }
  }
}
