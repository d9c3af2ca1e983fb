internal import MirrorSupport

/// Recognises the format of a file and reads its traffic.
package enum CaptureReader {
  /// - Parameter bytes: the content of a file, in UTF-8 or UTF-16, with or without a byte-order mark. Places in errors are those of
  ///   the text in UTF-8 without the mark.
  /// - Throws: ``WireError`` if the file contains no traffic of a LiveView, with what to do about it. Frames and recordings are only
  ///   recognised here; their content is checked when they are decoded.
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

/// Whether a message of a WebSocket is a frame of a LiveView's channel: `[join_ref, ref, "lv:…", …]`. The beginning decides.
func isLiveViewFrame(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
  let beginning = text.prefix(80)
  guard beginning.first == UInt8(ascii: "[") else { return false }
  let mark = Array("\"lv:".utf8)
  return beginning.indices.contains { beginning[$0...].starts(with: mark) }
}
