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
  /// Asked under the lock that ``close(_:)`` takes before a descriptor goes away, so none of them can be another's by now.
  var hasUnread: Bool {
    var polls = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return false }
    return polls.contains { polled in
      // A client that closed its side is readable too, and has nothing to say.
      var byte: UInt8 = 0
      return polled.revents & Int16(POLLIN) != 0
        && recv(polled.fd, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }
  }
}
