import CLibrary
internal import MirrorSupport
internal import NodeObservation

/// A thread outside of Swift's cooperative pool: tests that block on each other would exhaust the
/// threads of the pool.
package final class OtherThread {
  private var thread = pthread_t()

  /// Starts `work` on a new thread.
  package init(_ work: @escaping @Sendable () -> Void) {
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
  package func join() {
    pthread_join(thread, nil)
  }

  /// Runs `work` on a new thread and waits until it is done.
  package static func run(_ work: @escaping @Sendable () -> Void) { OtherThread(work).join() }

  /// Runs `work` on eight new threads, with their numbers from 0, and waits until it is done on
  /// each.
  package static func onEach(_ work: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { number in OtherThread { work(number) } }
    for thread in threads { thread.join() }
  }

  /// The threads of ``onEach(_:)``.
  package static let count = 8

  private final class Work {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func start(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
    return nil
  }
}

/// A gate that threads wait for until it is opened.
package final class Gate: Sendable {
  package init() {}

  private let isOpen = Guarded(false)

  package func open() { isOpen.withLock { $0 = true } }

  /// Waits until the gate is open. `script/test` ends tests that never end.
  package func wait() {
    while !isPassed { Gate.pause() }
  }

  /// Pauses briefly so that other threads can run.
  package static func pause() { usleep(100) }

  package var isPassed: Bool { isOpen.current }
}
