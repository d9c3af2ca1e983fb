internal import LiveViewMirror
internal import MarkupDocument

/// An entry of a log as it goes over the wire: encoded once, for however many clients.
///
/// It does not hold the entry: events are kept that the log has let go.
struct Event: Sendable {
  let id: EventID
  let bytes: [UInt8]
  private let audience: EventAudience

  /// - Complexity: O(*change set*).
  init(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor) {
    id = EventID(entry, at: cursor)
    audience = entry.audience
    let name =
      switch entry {
      case .applied(let record): record.version == 0 ? "mount" : "change"
      case .rejected: "rejected"
      }
    bytes = Self.encoded(name, id: id.description, data: entry.json(at: cursor).bytes)
  }

  /// Whether a client hears of it that looks at one node, or at the whole view (`nil`).
  ///
  /// - Complexity: O(*notified nodes*).
  func concerns(_ node: NodeRef?) -> Bool { audience.contains(watcherOf: node) }
}

// MARK: - What is no entry

extension Event {
  /// The first thing on a stream: how soon to come back after it breaks, and for who begins now, what to name then.
  static func greeting(at id: EventID?) -> [UInt8] {
    Array("retry: 1000\n\(id.map { "id: \($0)\n" } ?? "")\n".utf8)
  }

  /// What could be told of the place that the client named is not kept any more: it goes on from now.
  static func reset(_ reason: String, from asked: EventID, oldest: EventID?, now: EventID) -> [UInt8] {
    encoded(
      "reset", id: now.description,
      data: JSON.object([
        ("reason", .string(reason)), ("from", .string(asked.description)), ("oldest", JSON(oldest?.description)),
        ("version", .string(now.description)),
      ]).bytes)
  }

  /// The last thing on a stream.
  ///
  /// A view that is gone takes its ids with it: the empty one makes a browser forget the last, so that it does not name
  /// it to another view of this name. Where the server stops the view is not gone, and the id stays.
  static func close(_ reason: CloseReason) -> [UInt8] {
    encoded(
      "close", id: reason == .stopping ? nil : "", data: JSON.object([("reason", .string(reason.rawValue))]).bytes)
  }

  /// A comment, which no client hears of.
  static let heartbeat = Array(":\n\n".utf8)

  /// JSON has no line end in it but the one behind it, which the field needs anyway.
  private static func encoded(_ name: String, id: String?, data: [UInt8]) -> [UInt8] {
    var bytes = Array("event: \(name)\n".utf8)
    if let id { bytes += Array("id: \(id)\n".utf8) }
    bytes += Array("data: ".utf8)
    bytes += oneLine(data)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Parts that are passed on as they came (events, replies) may be set out over lines: an end of line is a blank
  /// between tokens there, and cannot stand in a string.
  private static func oneLine(_ json: [UInt8]) -> [UInt8] {
    var json = json
    for position in json.indices.dropLast() where json[position] == 0x0A || json[position] == 0x0D {
      json[position] = 0x20
    }
    return json
  }
}

/// Why a stream ends from this side.
enum CloseReason: String, Sendable, Hashable {
  case deleted, expired, evicted, stopping
  case nodeRemoved = "node removed"

  init(_ reason: RemovalReason) {
    switch reason {
    case .deleted: self = .deleted
    case .expired: self = .expired
    case .evicted: self = .evicted
    }
  }
}

/// Who hears of an event besides those that look at the whole view.
enum EventAudience: Sendable {
  case everybody
  /// Those that look at one of these nodes.
  case watchers([NodeRef])

  /// - Parameter node: what somebody looks at, `nil` for the whole view.
  func contains(watcherOf node: NodeRef?) -> Bool {
    guard let node, case .watchers(let nodes) = self else { return true }
    return nodes.contains(node)
  }
}

extension ChangeLog.Entry {
  /// A node's subscribers are told of what notifies it. Who looks at a node has asked for nothing else, mounts aside.
  var audience: EventAudience {
    switch self {
    case .applied(let record): record.version == 0 ? .everybody : .watchers(record.notified)
    case .rejected: .watchers([])
    }
  }
}
