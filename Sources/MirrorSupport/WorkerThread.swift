internal import CLibrary

/// A thread that runs one closure. The server and the journal run such threads. The owner must call
/// either ``join()`` or ``detach()``, once. `@unchecked`, because of the handle, which is only an
/// identifier of the thread.
public struct WorkerThread: @unchecked Sendable {
  private let handle: pthread_t

  /// `nil` when the system cannot create a thread.
  public init?(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    let result = pthread_create(
      &handle, nil,
      { context in
        #if canImport(Darwin)
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        #else
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        #endif
        return nil
      }, box.toOpaque())
    #if canImport(Darwin)
      guard result == 0, let handle else {
        box.release()
        return nil
      }
    #else
      guard result == 0 else {
        box.release()
        return nil
      }
    #endif
    self.handle = handle
  }

  /// How many more threads the system lets this process create. The function creates these threads
  /// and ends them again, which takes about 20 µs for each. The number may change at once, because
  /// threads of the same user and control group count too. `Daemon` chooses the numbers of its
  /// threads with it.
  ///
  /// - Parameter wanted: the maximum number of threads to create.
  public static func possible(atMost wanted: Int) -> Int {
    let isOver = Guarded(false)
    var threads: [WorkerThread] = []
    while threads.count < wanted,
      let thread = WorkerThread({ while !isOver.wait(until: .now + .seconds(60), for: { $0 }) {} })
    {
      threads.append(thread)
    }
    isOver.change { $0 = true }
    for thread in threads { thread.join() }
    return threads.count
  }

  /// Waits until the thread ends. To be called once.
  public func join() { pthread_join(handle, nil) }

  /// Lets the thread end by itself. To be called once, instead of ``join()``.
  public func detach() { pthread_detach(handle) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
