internal import MirrorSupport

/// Recognises the format of a file and reads its traffic. `LiveViews` reads each imported file with
/// it.
package enum CaptureReader {
  /// - Parameter bytes: the content of a file, in UTF-8 or UTF-16, with or without a byte-order
  ///   mark. Offsets in errors refer to the text in UTF-8, without the mark.
  /// - Throws: ``WireError`` if the file contains no traffic of a LiveView. Its reason states what
  ///   to do. Frames and recordings are only recognised here; their content is checked when they
  ///   are decoded.
  /// - Complexity: O(*bytes*), and O(*n* log *n*) for the *n* messages of a HAR.
  package static func read(_ bytes: [UInt8]) throws(WireError) -> Capture {
    if let advice = OtherFile.advice(forArchive: bytes) { throw .notJSON(offset: 0, reason: advice) }
    let bytes = TextEncoding.utf8(bytes)
    guard let first = bytes.first(where: { !JSONSyntax.isSpace($0) }) else {
      throw .notJSON(offset: bytes.count, reason: "the file is empty")
    }
    if first == UInt8(ascii: "{"), let exports = ExportFile.read(bytes) { return exports }
    if first == UInt8(ascii: "{"), HARFile.isRecognised(bytes) { return try HARFile.read(bytes) }
    if first == UInt8(ascii: "{") || (first == UInt8(ascii: "[") && !MessageTable.isRecognised(bytes)) {
      return Capture(format: .frames, pages: [CapturedPage(input: bytes)])
    }
    if let table = MessageTable.read(bytes) { return table }
    if let advice = OtherFile.advice(forText: bytes) { throw .notJSON(offset: 0, reason: advice) }
    throw .notJSON(
      offset: 0,
      reason: """
        this is not a file of LiveView traffic: expected channel frames, a recording, an export of this program, a HAR with WebSocket messages, or messages copied from the \
        browser's developer tools
        """)
  }
}

extension [UInt8] {
  /// The lines with their line feeds.
  func lines() -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? endIndex
      lines.append(self[start..<end])
      start = end
    }
    return lines
  }
}

/// Whether a message of a WebSocket is a frame of a LiveView's channel: `[join_ref, ref, "lv:…",
/// …]`. Only the first 80 bytes are examined.
func isLiveViewFrame(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
  let beginning = text.prefix(80)
  guard beginning.first == UInt8(ascii: "[") else { return false }
  let mark = Array("\"lv:".utf8)
  return beginning.indices.contains { beginning[$0...].starts(with: mark) }
}

/// A file that is often mistaken for a recording, recognised by its content. ``CaptureReader``
/// reports what to do instead.
enum OtherFile {
  /// What a compressed file is and what to do; `nil` for another file.
  static func advice(forArchive bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x1F, 0x8B]) {
      return "the file is compressed with gzip: decompress it (gunzip), and import the result"
    }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      return "the file is a ZIP archive: extract it, and import the file in it"
    }
    return nil
  }

  /// For a text that is neither JSON nor a table of messages: the kind of the text, and what to do.
  /// `nil` for a text of an unknown kind.
  static func advice(forText bytes: [UInt8]) -> String? {
    let lines = bytes.prefix(64 << 10).split(separator: UInt8(ascii: "\n")).prefix(100).map(Array.init)
    if lines.contains(where: { $0.starts(with: Array("< [".utf8)) || $0.starts(with: Array("> [".utf8)) }) {
      return """
        the file is a transcript of wscat: its lines begin with < and >. Keep the lines with a frame, without these marks \
        (sed -nE 's/^[<>] (\\[.*)/\\1/p'), and import the result
        """
    }
    let marks = ["push: lv:", "receive: ok lv:", "receive:  lv:", "transport: connected to"].map { Array($0.utf8) }
    if lines.contains(where: { line in marks.contains { line.contains($0) } }) {
      return """
        the file is the log of phoenix.js in the console, which does not have the frames as they were sent. Export a HAR from \
        the panel "Network" instead, or copy the messages of the WebSocket there
        """
    }
    return nil
  }

  /// What to do about a message of the channel protocol 1.0.0, which is an object.
  static let objectFrames = """
    is a message of Phoenix's channel protocol 1.0.0 (vsn=1.0.0), an object with "topic" and "event"; a LiveView's client sends \
    arrays, as protocol 2.0.0 does. Record the WebSocket of the LiveView (/live/websocket), and not that of another channel
    """

  /// Whether a text is a message of the channel protocol 1.0.0.
  static func isObjectFrame(_ text: some Collection<UInt8>) -> Bool {
    let beginning = Array(text.prefix(512))
    return beginning.first == UInt8(ascii: "{") && beginning.contains(Array("\"topic\"".utf8))
      && beginning.contains(Array("\"event\"".utf8))
  }
}

/// The encodings of the files that are read: UTF-8, and UTF-16 as Windows PowerShell writes it with
/// `>`.
enum TextEncoding {
  /// The mark that editors on Windows write at the beginning of a file in UTF-8.
  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A text as UTF-8 without a byte-order mark. Half of a surrogate pair, and half of a unit at the
  /// end, becomes U+FFFD.
  ///
  /// - Complexity: O(*bytes*), and O(1) for UTF-8 without a mark.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: mark) { return Array(bytes.dropFirst(mark.count)) }
    guard let order = order(of: bytes) else { return bytes }
    let start = bytes.starts(with: order.mark) ? 2 : 0
    var units = stride(from: start, to: bytes.count - 1, by: 2).map { place in
      UInt16(bytes[place + order.high]) << 8 | UInt16(bytes[place + 1 - order.high])
    }
    if (bytes.count - start) % 2 == 1 { units.append(0xFFFD) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The order of the two bytes of a unit of UTF-16.
  private enum Order {
    case littleEndian, bigEndian

    /// The place of the high byte.
    var high: Int { self == .bigEndian ? 0 : 1 }
    var mark: [UInt8] { self == .bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE] }
  }

  /// The order of a text in UTF-16; `nil` for another encoding.
  ///
  /// Without a mark, zero bytes decide. Every format begins with ASCII characters, or with an arrow
  /// and then ASCII characters. In UTF-16 the high bytes of these characters are zero. A text in
  /// UTF-8 has no zero bytes.
  private static func order(of bytes: [UInt8]) -> Order? {
    for order in [Order.littleEndian, .bigEndian] where bytes.starts(with: order.mark) { return order }
    let beginning = bytes.prefix(64)
    var zeros = [0, 0]
    for (place, byte) in beginning.enumerated() where byte == 0 { zeros[place % 2] += 1 }
    if zeros[0] == 0, zeros[1] * 4 > beginning.count { return .littleEndian }
    if zeros[1] == 0, zeros[0] * 4 > beginning.count { return .bigEndian }
    return nil
  }
}
