internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// A log entry in the form in which it is sent. ``EventHub`` encodes a new entry once for all
/// clients. ``EventReplay`` encodes older entries for each client that missed them.
///
/// An event does not reference the entry, so an event can outlive the eviction of its entry.
struct Event: Sendable {
  let id: EventID
  let bytes: [UInt8]
  private let watched: [NodeRef]?

  /// - Complexity: O(*change set*).
  init(_ entry: ChangeLog.Entry) {
    id = EventID(entry)
    watched = entry.watched
    let name =
      switch entry.outcome {
      case .applied(let record): record.version == 0 ? "mount" : "change"
      case .rejected: "rejected"
      }
    bytes = Self.encoded(name, id: id.description, data: entry.json.bytes)
  }

  /// Whether to send the event to a client that watches the given node, or the whole view (`nil`).
  ///
  /// - Complexity: O(*notified nodes*).
  func concerns(_ node: NodeRef?) -> Bool { Self.concerns(node, watched) }

  fileprivate static func concerns(_ node: NodeRef?, _ watched: [NodeRef]?) -> Bool {
    guard let node, let watched else { return true }
    return watched.contains(node)
  }
}

// MARK: - Events without an entry

extension Event {
  /// The first event of a stream: the delay before a client reconnects and, for a new client, the
  /// id to resume from.
  static func greeting(at id: EventID?) -> [UInt8] {
    Array("retry: 1000\n\(id.map { "id: \($0)\n" } ?? "")\n".utf8)
  }

  /// The event `reset`: the entries after the client's last event cannot be sent, for example
  /// because they were evicted. The stream continues from now.
  static func reset(_ reason: String, from asked: EventID, oldest: EventID?, now: EventID) -> [UInt8] {
    encoded(
      "reset", id: now.description,
      data: JSON.object([
        ("reason", .string(reason)), ("from", .string(asked.description)), ("oldest", JSON(oldest?.description)),
        ("version", .string(now.description)),
      ]).bytes)
  }

  /// The last event of a stream.
  ///
  /// If the view was removed, the event has an empty id. A browser then forgets the id of the last
  /// event, and does not send it when it reads a later view with the same view id. If the server
  /// stops, the id of the last event remains valid, so the event has no id.
  static func close(_ reason: String, forgettingID: Bool = true) -> [UInt8] {
    encoded("close", id: forgettingID ? "" : nil, data: JSON.object([("reason", .string(reason))]).bytes)
  }

  /// A comment, which clients ignore.
  static let heartbeat = Array(":\n\n".utf8)

  /// An event with its fields. `data` is JSON with a line feed at its end, which ends the field.
  /// All other line ends in `data` become spaces.
  static func encoded(_ name: String, id: String?, data: [UInt8]) -> [UInt8] {
    var bytes = Array("event: \(name)\n".utf8)
    if let id { bytes += Array("id: \(id)\n".utf8) }
    bytes += Array("data: ".utf8)
    bytes += oneLine(data)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The `events` and `replies` of a diff are sent as they were received, so they may contain line
  /// ends between JSON tokens. A space can replace each, because JSON strings have no line ends.
  private static func oneLine(_ json: [UInt8]) -> [UInt8] {
    var json = json
    for position in json.indices.dropLast() where json[position] == 0x0A || json[position] == 0x0D {
      json[position] = 0x20
    }
    return json
  }
}

extension ChangeLog.Entry {
  /// The nodes whose watchers receive the event, besides the clients of the whole view; `nil` for a
  /// mount, which all clients receive.
  fileprivate var watched: [NodeRef]? {
    guard let record else { return [] }
    return record.version == 0 ? nil : record.notified
  }

  /// As ``Event/concerns(_:)``.
  func concerns(_ node: NodeRef?) -> Bool { Event.concerns(node, watched) }
}
