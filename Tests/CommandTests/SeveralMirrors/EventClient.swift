import Foundation
import RecordingFixtures

/// Reads the events of a view as a browser does that moves between mirrors: for a random time at
/// one, and then, from its last event, at another.
struct EventClient {
  /// What a client has received of an event.
  struct Received: Sendable, Hashable {
    var id: String
    var data: String
  }

  /// What a client has received, and where it was connected.
  struct Result: Sendable {
    var view: String
    var node: Int?
    var events: [Received] = []
    /// Events that are not part of the log, such as `reset`.
    var others: [String] = []
    /// The connections that have received an event.
    var connections = 0
  }

  let ports: [UInt16]
  private var result: Result
  private var random: SplitMix
  /// The value of `Last-Event-ID`.
  private var place = "0"

  init(_ view: String, node: Int? = nil, ports: [UInt16], seed: UInt64) {
    (self.ports, random) = (ports, SplitMix(state: seed))
    result = Result(view: view, node: node)
  }

  /// Reads until an event has the last id that is given.
  ///
  /// - Parameter last: the id of the view's last event; `nil` as long as it may change. Its second
  ///   value says whether to give up.
  func run(until last: (String) -> (id: String?, isLate: Bool)) -> Result {
    var client = self
    while true {
      let end = last(client.result.view)
      if end.isLate || end.id.map({ $0 == client.place }) == true { return client.result }
      client.connect(for: .milliseconds(client.random.below(700) + 30), to: end.id)
    }
  }

  private mutating func connect(for time: Duration, to last: String?) {
    let end = ContinuousClock.now + time
    let query = result.node.map { "?node=\($0)" } ?? ""
    guard let caller = Caller(port: ports[random.below(ports.count)]),
      // HTTP/1.0: without chunks.
      caller.send(
        "GET /views/\(result.view)/events\(query) HTTP/1.0\r\nHost: localhost\r\nLast-Event-ID: \(place)\r\n\r\n")
    else {
      Thread.sleep(for: .milliseconds(20))
      return
    }
    caller.limit(.milliseconds(20))
    var (bytes, isHead, isUsed) = ([UInt8](), true, false)
    while ContinuousClock.now < end, place != last {
      switch caller.more() {
      case .bytes(let more): bytes += more
      case .nothingYet: continue
      case .end:
        if !isUsed { Thread.sleep(for: .milliseconds(20)) }
        return
      }
      if isHead {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
        guard bytes.starts(with: Array("HTTP/1.1 200".utf8)) || bytes.starts(with: Array("HTTP/1.0 200".utf8)) else {
          Thread.sleep(for: .milliseconds(50))
          return
        }
        bytes.removeSubrange(..<end.upperBound)
        isHead = false
      }
      // An event that is not complete is read again at the next mirror.
      while let end = bytes.firstRange(of: [10, 10]) {
        if receive(String(decoding: bytes[..<end.lowerBound], as: UTF8.self)), !isUsed {
          (isUsed, result.connections) = (true, result.connections + 1)
        }
        bytes.removeSubrange(..<end.upperBound)
      }
    }
  }

  /// - Returns: whether the lines are an event of the log.
  private mutating func receive(_ lines: String) -> Bool {
    var (id, type, data): (String?, String?, String) = (nil, nil, "")
    for line in lines.split(separator: "\n") {
      if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
      if line.hasPrefix("event: ") { type = String(line.dropFirst(7)) }
      if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
    }
    if let id { place = id }
    switch type {
    case "mount", "change", "rejected":
      result.events.append(Received(id: id ?? "", data: data))
      return true
    case let type?:
      // A mirror that stops in an orderly way.
      if type != "close" || !data.contains("stopping") { result.others.append("\(type) \(data.prefix(200))") }
    case nil: break
    }
    return false
  }
}
