/// Reads Server-Sent Events from pieces of a stream.
struct EventStreamReader: Sendable {
  struct Event: Sendable, Hashable {
    var name: String
    var data: String
  }

  /// More unfinished bytes than this are not an event of a mirror.
  static let maximumBytes = 32 << 20

  private var unread: [UInt8] = []

  /// - Returns: the events that the piece completes.
  mutating func read(_ piece: [UInt8]) -> [Event] {
    unread += piece
    var events: [Event] = []
    while let end = unread.indices.dropLast().first(where: { unread[$0] == 0x0A && unread[$0 + 1] == 0x0A }) {
      if let event = Self.event(unread[..<end]) { events.append(event) }
      unread.removeFirst(end + 2)
    }
    if unread.count > Self.maximumBytes { unread = [] }
    return events
  }

  /// - Returns: `nil` for a comment, such as a heartbeat.
  private static func event(_ bytes: ArraySlice<UInt8>) -> Event? {
    var (name, data): (String, [String]) = ("message", [])
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1]
      switch parts[0] {
      case "event": name = String(value)
      case "data": data.append(String(value))
      default: break
      }
    }
    return data.isEmpty ? nil : Event(name: name, data: data.joined(separator: "\n"))
  }
}
