#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is going on in a daemon, so that it can be stopped without cutting anything off.
struct Traffic {
  /// Requests whose first line has been read and whose answer has not been written to its end.
  private(set) var inFlight = 0
  /// Requests so far.
  private(set) var begun = 0
  private(set) var connections: Set<Int32> = []
  /// Set once the daemon stops: requests that begin now are turned away.
  var isDraining = false

  mutating func begin() {
    inFlight += 1
    begun += 1
  }

  mutating func end() { inFlight -= 1 }

  mutating func open(_ descriptor: Int32) { connections.insert(descriptor) }

  mutating func close(_ descriptor: Int32) { connections.remove(descriptor) }

  /// Whether some client has sent what nobody has read yet.
  ///
  /// Also wakes the daemon for connections whose client has gone. Where the last bytes and the end come together, libmicrohttpd
  /// (0.9.75, edge-triggered) reads the bytes and waits for an event that has been; to close the reading side, at whose end
  /// it is anyway, makes another one. An answer that is on its way is not disturbed by it.
  ///
  /// Done under the lock that ``close(_:)`` takes before a descriptor goes away, so none of them can be another's by now.
  func findUnread() -> Bool {
    var polls = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return false }
    var hasUnread = false
    for readable in polls where readable.revents & Int16(POLLIN) != 0 {
      var byte: UInt8 = 0
      let count = recv(readable.fd, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      if count > 0 { hasUnread = true }
      if count == 0 { shutdown(readable.fd, Int32(SHUT_RD)) }
    }
    return hasUnread
  }
}
