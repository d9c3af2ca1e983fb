internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Tells which of many sockets have lost their client.
///
/// libmicrohttpd does not watch a connection that is suspended, so a client that went away would be noticed when the next
/// event is sent, or the one after. A second epoll on the same descriptors notices at once.
///
/// It also tells when there is somebody to accept.
///
/// A client that closes its writing side only counts as gone. Nothing tells it from one that has closed altogether, until
/// something is sent to it; and no reader of an event stream (browsers, curl) does so.
struct HangupEvents: ~Copyable {
  /// What ``wait(atMost:)`` calls the listening socket.
  static let listener: UInt64 = 1

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

    /// Tells once that there is a connection to accept, as ``listener``. `again` for a socket that has been added.
    func addListener(_ descriptor: Int32, again: Bool) {
      _ = shim_events_add_listener(events, descriptor, Self.listener, again ? 1 : 0)
    }

    /// - Parameter id: more than ``listener``; what ``wait(atMost:)`` calls it. Numbers of descriptors come again, this one must not.
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
    /// There is no epoll here: a client that went away is noticed when the next bytes, or the next heartbeat, are sent.
    private let wake: (read: Int32, write: Int32)
    private let listening = Guarded<Int32?>(nil)

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
      wake = (ends[0], ends[1])
    }

    deinit {
      close(wake.read)
      close(wake.write)
    }

    func addListener(_ descriptor: Int32, again: Bool) { listening.withLock { $0 = descriptor } }

    func add(_ descriptor: Int32, id: UInt64) -> Bool { true }

    func remove(_ descriptor: Int32) {}

    func interrupt() {
      var byte: UInt8 = 0
      _ = write(wake.write, &byte, 1)
    }

    func wait(atMost limit: Duration?) -> [UInt64] {
      var polls = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
      if let socket = listening.withLock({ $0 }) { polls.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
      let (seconds, attoseconds) = (limit ?? .seconds(3600)).components
      let milliseconds = Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
      guard poll(&polls, nfds_t(polls.count), milliseconds) > 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: 64)
      if polls[0].revents != 0 { _ = read(wake.read, &bytes, bytes.count) }
      guard polls.count > 1, polls[1].revents != 0 else { return [] }
      listening.withLock { $0 = nil }
      return [Self.listener]
    }
  #endif
}
