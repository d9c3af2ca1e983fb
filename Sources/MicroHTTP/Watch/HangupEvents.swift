internal import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Tells which of many sockets have lost their client.
///
/// libmicrohttpd does not watch a connection that is suspended, so a client that went away would be noticed when the next
/// event is sent, or the one after. A second epoll on the same descriptors notices at once.
///
/// A client that closes its writing side only counts as gone. Nothing tells it from one that has closed altogether, until
/// something is sent to it; and no reader of an event stream (browsers, curl) does so.
struct HangupEvents: ~Copyable {
  #if os(Linux)
    private let events: Int32
    private let wake: Int32

    /// `nil` when the system has no descriptor left.
    init?() {
      events = shim_events_open()
      wake = shim_events_add_wake(events)
      guard events >= 0, wake >= 0 else { return nil }
    }

    deinit {
      close(wake)
      close(events)
    }

    /// - Parameter id: not 0; what ``wait(atMost:)`` calls it. Numbers of descriptors come again, this one must not.
    func add(_ descriptor: Int32, id: UInt64) -> Bool { shim_events_add(events, descriptor, id) == 0 }

    /// The system does so by itself when the socket is closed; for one that goes on with other requests.
    func remove(_ descriptor: Int32) { _ = shim_events_remove(events, descriptor) }

    /// Lets ``wait(atMost:)`` return.
    func interrupt() { shim_events_wake(wake) }

    /// Waits until some have lost their client, or it is interrupted; without an end for `nil`.
    func wait(atMost limit: Duration?) -> [UInt64] {
      var milliseconds: Int32 = -1
      if let limit {
        let (seconds, attoseconds) = limit.components
        // Rounded up, or it would return a little too soon and again at once.
        milliseconds = Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
      }
      let ids = [UInt64](unsafeUninitializedCapacity: 64) { buffer, count in
        count = Int(shim_events_wait(events, buffer.baseAddress, Int32(buffer.count), milliseconds))
      }
      if ids.contains(0) { shim_events_clear_wake(wake) }
      return ids.filter { $0 != 0 }
    }
  #else
    /// Whether it was interrupted. There is no epoll here: a client that went away is noticed when the next bytes, or the
    /// next heartbeat, are sent.
    private let isInterrupted = Guarded(false)

    init?() {}

    func add(_ descriptor: Int32, id: UInt64) -> Bool { true }

    func remove(_ descriptor: Int32) {}

    func interrupt() { isInterrupted.change { $0 = true } }

    func wait(atMost limit: Duration?) -> [UInt64] {
      _ = isInterrupted.wait(until: .now.advanced(by: limit ?? .seconds(3600))) { $0 }
      isInterrupted.withLock { $0 = false }
      return []
    }
  #endif
}
