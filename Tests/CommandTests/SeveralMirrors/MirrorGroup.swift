import Foundation
import PostgresFixture
import Synchronization
import Testing

/// Mirrors with one PostgreSQL database, each on a port that it keeps when it is restarted.
///
/// Used by one thread, apart from ``ports`` and ``server``.
final class MirrorGroup {
  let ports: [UInt16]
  let server: PostgresServer
  private let arguments: [String]
  private let database: String
  private var mirrors: [Server]

  /// - Parameters:
  ///   - server: by default the server of all tests, which must not be stopped.
  ///   - arguments: of each mirror, besides `--journal`.
  init(_ count: Int, on server: PostgresServer? = nil, _ arguments: String...) throws {
    let server = try server ?? PostgresServer.common()
    let database = try server.database()
    (self.server, self.database) = (server, database)
    self.arguments = ["--journal", server.url(database)] + arguments
    mirrors = []
    for _ in 0..<count { mirrors.append(try Server(arguments: self.arguments)) }
    ports = mirrors.map(\.port)
  }

  deinit {
    for mirror in mirrors { _ = mirror.end(with: SIGKILL) }
    server.drop(database)
  }

  subscript(index: Int) -> Server { mirrors[index] }

  /// Kills a mirror, and starts another one on the same port.
  func restart(_ index: Int, after pause: Duration = .zero) throws {
    _ = mirrors[index].end(with: SIGKILL)
    Thread.sleep(for: pause)
    mirrors[index] = try Server(arguments: arguments, port: String(ports[index]))
  }

  // MARK: - Requests

  func post(_ index: Int, _ path: String, _ body: String = "") throws -> (status: Int, body: String) {
    try Request("POST", path, body).send(to: ports[index])
  }

  func get(_ index: Int, _ path: String) throws -> (status: Int, body: String) {
    try Request("GET", path).send(to: ports[index])
  }

  func delete(_ index: Int, _ path: String) throws -> (status: Int, body: String) {
    try Request("DELETE", path).send(to: ports[index])
  }

  /// Waits until each mirror gives a status.
  ///
  /// - Returns: whether all do within half a minute.
  func wait(for status: Int, at path: String) -> Bool {
    for _ in 0..<600 {
      if ports.indices.allSatisfy({ (try? get($0, path).status) == status }) { return true }
      Thread.sleep(for: .milliseconds(50))
    }
    return false
  }
}

/// One request on a connection of its own.
struct Request {
  private let text: String

  init(_ method: String, _ path: String, _ body: String = "") {
    let length = method == "POST" ? "Content-Length: \(body.utf8.count)\r\n" : ""
    text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(length)\r\n\(body)"
  }

  struct NoAnswer: Error {}

  /// - Throws: if there is no complete answer.
  func send(to port: UInt16) throws -> (status: Int, body: String) {
    guard let caller = Caller(port: port), caller.send(text), case .answered(let status, let body) = caller.answer()
    else {
      throw NoAnswer()
    }
    return (status, body)
  }
}

extension Thread {
  static func sleep(for time: Duration) { sleep(forTimeInterval: time / .seconds(1)) }
}

/// Work on a thread of its own, and its result.
final class Working<Value: Sendable>: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let result = Mutex<Value?>(nil)

  init(_ body: @escaping @Sendable () -> Value) {
    let thread = Thread { [self] in
      let value = body()
      result.withLock { $0 = value }
      done.signal()
    }
    thread.start()
  }

  /// Waits for the result, once.
  func value() throws -> Value {
    done.wait()
    return try #require(result.withLock { $0 })
  }
}
