#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A thread that runs one closure.
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

  /// Waits until the thread ends. To be called once.
  public func join() { pthread_join(handle, nil) }

  /// Lets the thread end by itself. To be called once, instead of ``join()``.
  public func detach() { pthread_detach(handle) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
