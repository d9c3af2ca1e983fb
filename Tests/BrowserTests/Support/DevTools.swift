import Foundation

/// The DevTools protocol over two pipes: JSON texts, each followed by a zero byte.
///
/// Used by one thread. Responses and events are read only while a call waits.
final class DevTools {
  struct Event {
    var method: String
    var session: String?
    var parameters: Received
  }

  enum Failure: Error, CustomStringConvertible {
    case refused(method: String, message: String)
    case noAnswer(to: String)
    case closed

    var description: String {
      switch self {
      case .refused(let method, let message): "\(method): \(message)"
      case .noAnswer(let what): "the browser does not answer \(what)"
      case .closed: "the browser has ended"
      }
    }
  }

  /// Receives every event. It may call ``send(_:_:in:)`` but not ``call(_:_:in:)``.
  var onEvent: (Event) -> Void = { _ in }

  private let reading: Int32
  private let writing: Int32
  private var unread: [UInt8] = []
  private var next = 0
  private var answers: [Int: Received] = [:]
  /// The responses that calls wait for. All other responses are discarded.
  private var awaited: Set<Int> = []

  init(reading: Int32, writing: Int32) {
    self.reading = reading
    self.writing = writing
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Sends a command without waiting for the response.
  @discardableResult
  func send(_ method: String, _ parameters: [String: Any] = [:], in session: String? = nil) -> Int {
    next += 1
    var message: [String: Any] = ["id": next, "method": method, "params": parameters]
    message["sessionId"] = session
    guard let data = try? JSONSerialization.data(withJSONObject: message) else { return next }
    var rest = (data + [0])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return next
  }

  /// Sends a command and waits for the response.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:], in session: String? = nil) throws -> Received {
    let id = send(method, parameters, in: session)
    awaited.insert(id)
    defer { awaited.remove(id) }
    guard try pump(for: 30, until: { answers[id] != nil }), let answer = answers.removeValue(forKey: id) else {
      throw Failure.noAnswer(to: method)
    }
    if let message = answer["error"]["message"].string { throw Failure.refused(method: method, message: message) }
    return answer["result"]
  }

  /// Reads messages until a condition is true, at most for this many seconds.
  ///
  /// - Returns: whether the condition is true.
  @discardableResult
  func pump(for seconds: Double, until condition: () -> Bool = { false }) throws -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while true {
      if condition() { return true }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      var wanted = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, Int32(min(left / .milliseconds(1), 1_000)) + 1) > 0 else { continue }
      try receive()
    }
  }

  private func receive() throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reading, &bytes, bytes.count)
    guard count > 0 else { throw Failure.closed }
    unread += bytes[..<count]
    while let end = unread.firstIndex(of: 0) {
      let message = Received(try? JSONSerialization.jsonObject(with: Data(unread[..<end])))
      unread.removeSubrange(...end)
      if let id = message["id"].int {
        if awaited.contains(id) { answers[id] = message }
      } else if let method = message["method"].string {
        onEvent(Event(method: method, session: message["sessionId"].string, parameters: message["params"]))
      }
    }
  }
}
