/// Reads Server-Sent Events from pieces of a stream, as the HTML standard describes them. Each byte
/// is examined once. The demo and `liveview-mirror-attach` read the events of a mirror with it.
package struct EventStreamReader: Sendable {
  package struct Event: Sendable, Hashable {
    package var name: String
    package var data: String

    package init(name: String, data: String) { (self.name, self.data) = (name, data) }
  }

  /// An event whose lines have more bytes than this is skipped. A mirror sends no such event.
  let maximumBytes: Int
  /// The number of bytes that all calls have examined for a line end. A test reads it.
  package private(set) var examinedBytes = 0

  /// The beginning of the current line.
  private var line: [UInt8] = []
  /// Whether the last byte was a carriage return: a line feed behind it belongs to the same line
  /// end.
  private var isAfterCarriageReturn = false
  private var isFirstLine = true

  // The fields of the current event.
  private var name = ""
  /// The values of its `data` lines, with a line feed behind each.
  private var data: [UInt8] = []
  private var isTooLong = false

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  package init(maximumBytes: Int = 32 << 20) { self.maximumBytes = maximumBytes }

  /// - Returns: the events that the piece completes.
  package mutating func read(_ piece: [UInt8]) -> [Event] {
    var events: [Event] = []
    var rest = piece[...]
    if isAfterCarriageReturn, rest.first == Self.lineFeed { rest.removeFirst() }
    if !piece.isEmpty { isAfterCarriageReturn = false }
    while let end = lineEnd(in: rest) {
      append(rest[..<end])
      let isReturn = rest[end] == Self.carriageReturn
      rest = rest[(end + 1)...]
      if isReturn {
        isAfterCarriageReturn = rest.isEmpty
        if rest.first == Self.lineFeed { rest.removeFirst() }
      }
      if let event = endLine() { events.append(event) }
    }
    append(rest)
    return events
  }

  private mutating func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    let end = bytes.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
    examinedBytes += (end.map { $0 + 1 } ?? bytes.endIndex) - bytes.startIndex
    return end
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if line.count + data.count + bytes.count > maximumBytes { isTooLong = true }
    if isTooLong {
      // Only whether the line is empty still matters.
      data = []
      line = line.isEmpty ? Array(bytes.prefix(1)) : Array(line.prefix(1))
    } else {
      line += bytes
    }
  }

  /// - Returns: the event that the line ends, if the line is empty.
  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: line.count < 1 << 16) }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    if line.isEmpty { return endEvent() }
    if !isTooLong { readField() }
    return nil
  }

  private mutating func readField() {
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      data += value
      data.append(Self.lineFeed)
    // An empty name is a comment, such as a heartbeat.
    default: break
    }
  }

  /// - Returns: `nil` for an event without data.
  private mutating func endEvent() -> Event? {
    defer { (name, data, isTooLong) = ("", [], false) }
    if data.isEmpty { return nil }
    return Event(name: name.isEmpty ? "message" : name, data: String(decoding: data.dropLast(), as: UTF8.self))
  }
}
