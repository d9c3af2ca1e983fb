import CLibrary
import Foundation
import Synchronization

/// Connects to a server as its clients ask for, and can discard the answers of the server.
final class AnswerFilter: @unchecked Sendable {
  private let server: UInt16
  private let listener: Int32
  let port: UInt16
  private let discards = Atomic(false)
  /// Connections that were made before the last cut end.
  private let cuts = Atomic(0)

  struct Failure: Error {}

  init(of server: UInt16) throws {
    self.server = server
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var (address, length) = (Self.address(0), socklen_t(MemoryLayout<sockaddr_in>.size))
    let descriptor = listener
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isReady else { throw Failure() }
    port = UInt16(bigEndian: address.sin_port)
    Thread { [weak self] in
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0, let self else { return }
        Thread { self.forward(client) }.start()
      }
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// The server receives requests, and its answers are discarded.
  func discardAnswers() { discards.store(true, ordering: .sequentiallyConsistent) }

  /// Ends all connections. Later ones work.
  func cut() {
    cuts.add(1, ordering: .sequentiallyConsistent)
    discards.store(false, ordering: .sequentiallyConsistent)
  }

  private func forward(_ client: Int32) {
    let count = cuts.load(ordering: .sequentiallyConsistent)
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(client)
      close(connection)
    }
    var address = Self.address(server)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var isOpen = isConnected
    while isOpen {
      var sockets = [client, connection].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&sockets, 2, 5)
      if cuts.load(ordering: .sequentiallyConsistent) != count { return }
      for (source, target) in [(0, connection), (1, client)] where sockets[source].revents != 0 {
        let size = read(sockets[source].fd, &buffer, buffer.count)
        if size <= 0 { isOpen = false }
        if size <= 0 || source == 1 && discards.load(ordering: .sequentiallyConsistent) { continue }
        isOpen = isOpen && send(target, buffer, size, Int32(MSG_NOSIGNAL)) == size
      }
    }
  }
}
