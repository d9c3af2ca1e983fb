import NodeObservation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Threads of their own: tests that wait for each other must not share the few of Swift's concurrency.
final class OtherThread {
  private var thread = pthread_t()

  /// Begins `work` on a new thread.
  init(_ work: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(run: work)).toOpaque()
    #if canImport(Darwin)
      var started: pthread_t?
      pthread_create(&started, nil, { OtherThread.start($0) }, work)
      if let started { thread = started }
    #else
      pthread_create(&thread, nil, { $0.flatMap { OtherThread.start($0) } }, work)
    #endif
  }

  /// Waits until the work is done.
  func join() {
    pthread_join(thread, nil)
  }

  /// Does `work` on a new thread, and waits for it.
  static func run(_ work: @escaping @Sendable () -> Void) { OtherThread(work).join() }

  private final class Work {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func start(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
    return nil
  }
}

/// Something that threads wait for.
final class Gate: Sendable {
  private let isOpen = Guarded(false)

  func open() { isOpen.withLock { $0 = true } }

  /// Until it is open; the suite's time limit ends a test that waits in vain.
  func wait() {
    while !isPassed { Gate.pause() }
  }

  /// Lets others run.
  static func pause() { usleep(100) }

  var isPassed: Bool { isOpen.withLock { $0 } }
}
