import CLibrary
internal import CMicrohttpd
internal import MirrorSupport

/// Waits for the disconnection of clients, and for connections to accept. ``ConnectionMonitor`` has
/// one. Only its thread waits. Other threads may call the other methods.
///
/// libmicrohttpd ignores a suspended connection, so it would detect a disconnection only when the
/// stream sends its next event, or the one after. On Linux, an epoll instance beside
/// libmicrohttpd's, with the same descriptors, detects the disconnection at once.
///
/// A client that closes only its writing side counts as disconnected: the socket's state is the
/// same as after a complete close, until something is sent. No reader of event streams (browsers,
/// curl) closes one side only.
struct HangupEvents: ~Copyable {
  /// The id of the listening socket in ``wait(atMost:)``.
  static let listener: UInt64 = 1

  #if os(Linux)
    private let events: Int32
    private let wake: Int32

    /// `nil` when the process has no descriptor left.
    init?() {
      let descriptors = Self.descriptors
      events = descriptors.events
      wake = descriptors.wake
      guard events >= 0, wake >= 0 else { return nil }
    }

    /// New descriptors; -1 for both after a failure.
    private static var descriptors: (events: Int32, wake: Int32) {
      let events = shim_events_open()
      let wake = events >= 0 ? shim_events_add_wake(events) : -1
      guard wake < 0 else { return (events, wake) }
      if events >= 0 { close(events) }
      return (-1, -1)
    }

    deinit {
      close(wake)
      close(events)
    }

    /// Reports ``listener`` once when there is a connection to accept.
    ///
    /// - Parameter again: whether the socket has been added before.
    func addListener(_ descriptor: Int32, again: Bool) {
      _ = shim_events_add_listener(events, descriptor, Self.listener, again ? 1 : 0)
    }

    /// Begins to watch a client's connection for its disconnection.
    ///
    /// - Parameter id: returned by ``wait(atMost:)``. More than ``listener``, and never reused,
    ///   unlike descriptors.
    func add(_ descriptor: Int32, id: UInt64) -> Bool { shim_events_add(events, descriptor, id) == 0 }

    /// Stops watching a connection. Needed only if the connection continues with other requests:
    /// the system removes closed sockets by itself.
    func remove(_ descriptor: Int32) { _ = shim_events_remove(events, descriptor) }

    /// Makes ``wait(atMost:)`` return.
    func interrupt() { shim_events_wake(wake) }

    /// Waits for an event or ``interrupt()``, at most for `limit`; `nil` means forever.
    ///
    /// - Returns: the ids of the disconnected clients, and ``listener`` if there is a connection to
    ///   accept.
    func wait(atMost limit: Duration?) -> [UInt64] {
      var milliseconds: Int32 = -1
      if let limit {
        let (seconds, attoseconds) = limit.components
        // Rounded up: after a shorter wait, the caller would be early and wait again for 0 ms, in
        // a busy loop.
        milliseconds = Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
      }
      let ids = [UInt64](unsafeUninitializedCapacity: 64) { buffer, count in
        count = Int(shim_events_wait(events, buffer.baseAddress, Int32(buffer.count), milliseconds))
      }
      if ids.contains(0) { shim_events_clear_wake(wake) }
      return ids.filter { $0 != 0 }
    }
  #else
    /// There is no epoll on Darwin: a disconnection is detected when the next bytes or heartbeat
    /// are sent.
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
      if let socket = listening.current { polls.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
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
