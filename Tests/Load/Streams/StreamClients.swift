import CLoad
import Glibc

/// Many event-stream clients on one thread: each reads as fast as it can.
final class StreamClients: @unchecked Sendable {
  private struct Client {
    var connection: Connection
    var reader: EventReader
    var view: String
  }

  private var clients: [Client] = []
  private let watch = load_epoll()
  private let isStopping = Shared(false)
  /// The progress of ``run()``, for other threads.
  let progress = Shared(Progress())

  struct Progress {
    /// The clients whose response has begun.
    var begun = 0
    var events = 0
    var ended = 0
    /// The lowest version that a client of a view has received.
    var reached: [String: Int] = [:]
    var faults: [String] = []
  }

  deinit { close(watch) }

  /// - Parameter version: the current version of the view.
  func open(_ view: String, at version: Int, port: UInt16) throws {
    let connection = try Connection(port: port)
    connection.send("GET /views/\(view)/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".utf8)
    connection.makeNonBlocking()
    load_watch(watch, connection.descriptor, UInt64(clients.count))
    clients.append(Client(connection: connection, reader: EventReader(after: version), view: view))
  }

  /// Starts reading on a new thread.
  func start() { thread { self.run() } }

  func stop() { isStopping.change { $0 = true } }

  private func run() {
    var ready = [UInt64](repeating: 0, count: 256)
    var lastReport: UInt64 = 0
    while !isStopping.value {
      let count = load_wait(watch, &ready, Int32(ready.count), 20)
      for place in ready.prefix(max(0, Int(count))) { read(Int(place)) }
      let time = now()
      if time > lastReport + 20_000_000 {
        report()
        lastReport = time
      }
    }
    report()
  }

  private func read(_ place: Int) {
    while true {
      switch clients[place].connection.fill() {
      case .bytes:
        let unread = clients[place].connection.unread
        _ = clients[place].connection.take(clients[place].reader.receive(unread))
      case .nothingYet: return
      case .end, .reset:
        if !clients[place].reader.isEnded { progress.change { $0.faults.append("\(clients[place].view): cut off") } }
        load_forget(watch, clients[place].connection.descriptor)
        clients[place].connection.close()
        return
      }
    }
  }

  private func report() {
    var reached: [String: Int] = [:]
    var faults: [String] = []
    for client in clients {
      reached[client.view] = min(client.reader.version, reached[client.view] ?? .max)
      faults += client.reader.faults.prefix(3).map { "\(client.view): \($0)" }
    }
    let begun = clients.count { $0.reader.hasBegun }
    let events = clients.reduce(0) { $0 + $1.reader.events }
    let ended = clients.count { $0.reader.isEnded }
    progress.change {
      let cut = $0.faults.filter { $0.hasSuffix("cut off") }
      $0 = Progress(begun: begun, events: events, ended: ended, reached: reached, faults: cut + faults)
    }
  }
}
