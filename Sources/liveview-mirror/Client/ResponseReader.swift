internal import MirrorSupport

/// Reads an HTTP/1.1 response from the bytes of a connection, however they are cut. The body has a
/// `Content-Length`, is chunked, or ends with the connection (RFC 9112).
///
/// ``MirrorClient`` makes one for each request, and gives it all bytes by ``receive(_:)``. At the
/// end of the connection it must call ``end()``: only then a body without a length is complete.
struct ResponseReader {
  private enum State: Equatable {
    case head
    case counted(Int)
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailer
    case untilEnd
    case complete
  }

  /// The status of the last interim response (1xx).
  private(set) var interim: Int?

  private var state = State.head
  /// The bytes that were received; those before `position` have been read.
  private var buffer: [UInt8] = []
  private var position = 0
  private var partial = MirrorResponse(status: 0, type: "", body: [])

  /// The limit of a head, and of a line, in bytes.
  private static let longestHead = 1 << 16

  /// The response; `nil` while it is not complete.
  var response: MirrorResponse? { state == .complete ? partial : nil }

  mutating func receive(_ bytes: [UInt8]) throws(MirrorClientError) {
    buffer += bytes
    while try advance() {}
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      position = 0
    }
  }

  /// Removes and returns the part of the body that was read, if the response is a success. The body
  /// of a refusal is kept, because it is the problem text.
  mutating func takeBody() -> [UInt8] {
    guard partial.isSuccess else { return [] }
    defer { partial.body = [] }
    return partial.body
  }

  /// Notes the end of the connection.
  ///
  /// - Returns: the response, which is complete now.
  /// - Throws: if the connection was closed before the end of the response.
  mutating func end() throws(MirrorClientError) -> MirrorResponse {
    if state == .untilEnd { state = .complete }
    guard let response else { throw .closed }
    return response
  }

  /// Reads the next part of the response, such as its head, a line or a chunk.
  ///
  /// - Returns: whether the bytes that were received may contain a further part.
  private mutating func advance() throws(MirrorClientError) -> Bool {
    switch state {
    case .complete: return false
    case .untilEnd:
      _ = takeBody(buffer.count - position)
      return false
    case .counted(let count):
      let rest = takeBody(count)
      state = rest == 0 ? .complete : .counted(rest)
      return false
    case .chunk(let count):
      let rest = takeBody(count)
      state = rest == 0 ? .chunkEnd : .chunk(rest)
      return rest == 0
    case .head:
      guard let lines = try head() else { return false }
      try read(lines)
      return true
    case .chunkEnd:
      guard let line = try line() else { return false }
      guard line.isEmpty else { throw .notHTTP }
      state = .chunkSize
      return true
    case .chunkSize:
      guard let line = try line() else { return false }
      let digits = line.prefix { $0 != ";" && $0 != " " }
      guard let count = Int(digits, radix: 16), count >= 0 else { throw .notHTTP }
      state = count == 0 ? .trailer : .chunk(count)
      return true
    case .trailer:
      guard let line = try line() else { return false }
      if line.isEmpty { state = .complete }
      return !line.isEmpty
    }
  }

  /// Adds received bytes to the body, at most `count`.
  ///
  /// - Returns: how many of the `count` bytes have not been received.
  private mutating func takeBody(_ count: Int) -> Int {
    let part = buffer[position...].prefix(count)
    partial.body += part
    position = part.endIndex
    return count - part.count
  }

  /// - Returns: `nil` if the line end has not been received.
  private mutating func line() throws(MirrorClientError) -> String? {
    guard let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) else {
      if buffer.count - position > Self.longestHead { throw .notHTTP }
      return nil
    }
    var line = buffer[position..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    position = end + 1
    return String(decoding: line, as: UTF8.self)
  }

  /// The lines of a head, if its end has been received.
  private mutating func head() throws(MirrorClientError) -> [String]? {
    let start = position
    var lines: [String] = []
    while let line = try line() {
      // An empty line ends the head. Empty lines before it are ignored.
      if line.isEmpty, !lines.isEmpty { return lines }
      if !line.isEmpty { lines.append(line) }
      if position - start > Self.longestHead { throw .notHTTP }
    }
    position = start
    // Bytes of another protocol may have no line end at all.
    if !Array("HTTP/1.".utf8).starts(with: buffer[start...].prefix(7)) { throw .notHTTP }
    return nil
  }

  private mutating func read(_ lines: [String]) throws(MirrorClientError) {
    let words = lines[0].split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3,
      let status: Int = SettingText.number(words[1])
    else { throw .notHTTP }
    if status < 200 {
      interim = status
      return
    }
    partial.status = status
    var (length, isChunked): (Int?, Bool) = (nil, false)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw .notHTTP }
      let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
      switch line[..<colon].lowercased() {
      case "content-length":
        guard let number: Int = SettingText.number(value) else { throw .notHTTP }
        length = number
      case "transfer-encoding": isChunked = value.lowercased().hasSuffix("chunked")
      case "content-type": partial.type = value.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
      default: break
      }
    }
    if status == 204 || status == 304 {
      state = .complete
    } else {
      state = isChunked ? .chunkSize : length.map { $0 == 0 ? .complete : .counted($0) } ?? .untilEnd
    }
  }
}
