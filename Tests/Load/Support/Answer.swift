/// One received response. Every deviation from the grammar is an error, because the parser checks
/// the mirror's responses.
struct Answer {
  var status: Int
  /// Field names are in lower case.
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  /// Parses the first response in the bytes.
  ///
  /// - Parameter closed: whether the connection is closed, so that a response without a length ends
  ///   here.
  /// - Returns: the response and its length in bytes; `nil` if it is incomplete.
  static func read(
    _ bytes: some RandomAccessCollection<UInt8>, toHead: Bool = false, closed: Bool = false
  ) throws(Malformed) -> (answer: Answer, length: Int)? {
    let bytes = Array(bytes)
    guard let (head, start) = try readHead(bytes) else { return nil }
    var answer = head
    if toHead || head.status / 100 == 1 || head.status == 204 || head.status == 304 { return (answer, start) }
    let lengths = head.headers.filter { $0.name == "content-length" }
    let encodings = head.headers.filter { $0.name == "transfer-encoding" }
    guard lengths.count + encodings.count <= 1 else {
      throw Malformed(description: "more than one length in \(head.headers)")
    }
    if let text = lengths.first?.value {
      guard let length = Int(text), length >= 0 else { throw Malformed(description: "Content-Length: \(text)") }
      guard bytes.count >= start + length else { return nil }
      answer.body = Array(bytes[start..<start + length])
      return (answer, start + length)
    }
    if encodings.first?.value == "chunked" {
      guard let (body, end) = try readChunks(bytes, from: start) else { return nil }
      answer.body = body
      return (answer, end)
    }
    guard closed else { return nil }
    answer.body = Array(bytes[start...])
    return (answer, bytes.count)
  }

  /// Parses the status line and the headers, and finds their end.
  static func readHead(_ bytes: [UInt8]) throws(Malformed) -> (answer: Answer, end: Int)? {
    var lines: [String] = []
    var start = 0
    while true {
      guard let end = bytes[start...].firstIndex(of: 10) else {
        if start == 0, bytes.count > 12, !bytes.starts(with: "HTTP/1.".utf8) {
          throw Malformed(
            description: "begins with \(String(decoding: bytes.prefix(40), as: UTF8.self).debugDescription)")
        }
        return nil
      }
      guard end > start, bytes[end - 1] == 13 else { throw Malformed(description: "a line without a carriage return") }
      let line = bytes[start..<end - 1]
      guard line.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
        throw Malformed(
          description: "a control character in the head: \(String(decoding: line, as: UTF8.self).debugDescription)")
      }
      start = end + 1
      if line.isEmpty { break }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    guard let first = lines.first else { throw Malformed(description: "no status line") }
    let words = first.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].utf8.count == 3,
      let status = Int(words[1]), (100..<600).contains(status)
    else { throw Malformed(description: "status line \(first.debugDescription)") }
    var headers: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        line[..<colon].utf8.allSatisfy({ $0 > 32 && $0 < 127 })
      else { throw Malformed(description: "header line \(line.debugDescription)") }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append((line[..<colon].lowercased(), String(value)))
    }
    return (Answer(status: status, headers: headers, body: []), start)
  }

  /// The length of the first head if libmicrohttpd sent it twice: with the same status and headers,
  /// but perhaps a second later in `Date`.
  static func endOfRepeatedHead(_ bytes: [UInt8]) throws(Malformed) -> Int? {
    guard let (first, end) = try readHead(bytes), [400, 413].contains(first.status),
      bytes[end...].starts(with: "HTTP/1.".utf8), let (second, _) = try readHead(Array(bytes[end...])),
      first.status == second.status
    else { return nil }
    let fields = [first, second].map { $0.headers.filter { $0.name != "date" }.map { [$0.name, $0.value] } }
    return fields[0] == fields[1] ? end : nil
  }

  private static func readChunks(_ bytes: [UInt8], from start: Int) throws(Malformed) -> (body: [UInt8], end: Int)? {
    var body: [UInt8] = []
    var place = start
    while true {
      guard let end = bytes[place...].firstIndex(of: 10) else { return nil }
      let line = String(decoding: bytes[place..<end], as: UTF8.self).prefix { $0 != "\r" && $0 != "\r\n" && $0 != ";" }
      guard let size = Int(line, radix: 16), size >= 0 else {
        throw Malformed(description: "chunk size \(line.debugDescription)")
      }
      place = end + 1
      guard bytes.count >= place + size + 2 else { return nil }
      guard bytes[place + size] == 13, bytes[place + size + 1] == 10 else {
        throw Malformed(description: "a chunk that does not end where it says")
      }
      body += bytes[place..<place + size]
      place += size + 2
      if size == 0 { return (body, place) }
    }
  }
}
