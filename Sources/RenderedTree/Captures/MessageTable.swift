internal import MirrorSupport

/// Rows that were copied from the messages table of a browser's developer tools: an arrow for the
/// direction if it was copied, the text of the message, and the columns behind it (length, time),
/// separated by tabs. ``CaptureReader`` reads them.
///
///     ⬆["4","4","lv:phx-F1","phx_join",{…}]	312	10:00:00.120
///     ⬇["4","4","lv:phx-F1","phx_reply",{…}]	2048	10:00:00.161
///
/// JSON has no tabs and no line ends inside of strings, so the first tab ends the message, and a
/// line end the row. The other characters that Unicode calls line ends, such as U+2028, may be part
/// of a message.
enum MessageTable {
  private static let sent: Set<Character> = ["⬆", "↑", "▲", "⇧"]
  private static let received: Set<Character> = ["⬇", "↓", "▼", "⇩"]

  /// Whether the first row has an arrow or columns. Without them, copied messages are lines of
  /// frames.
  ///
  /// - Complexity: O(*bytes of the row*). The row may be as long as the file: a reply to a join has
  ///   the page.
  static func isRecognised(_ bytes: [UInt8]) -> Bool {
    let row = bytes.drop(while: JSONSyntax.isSpace).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    // Most files begin with a bracket and have no tab. Bytes are faster than characters.
    if row.first == UInt8(ascii: "["), !row.contains(UInt8(ascii: "\t")) { return false }
    return Row(row)?.isTable == true
  }

  /// - Returns: `nil` if no row is a message of a LiveView.
  static func read(_ bytes: [UInt8]) -> Capture? {
    var (page, rows, skipped) = (CapturedPage(), [Int](), 0)
    for (index, text) in bytes.rows().enumerated() where !text.allSatisfy(JSONSyntax.isSpace) {
      var row = Row(text)
      let isFrame = row?.message.withUTF8 { isLiveViewFrame($0) } ?? false
      guard let row, isFrame else {
        skipped += 1
        continue
      }
      rows.append(index + 1)
      page.input += FrameLine.bytes(row.message.utf8, isSent: row.isSent, at: row.time)
    }
    page.origin = .rows(rows)
    return rows.isEmpty ? nil : Capture(format: .table, pages: [page], skipped: skipped)
  }

  private struct Row {
    var message: String
    let isSent: Bool?
    /// Milliseconds since midnight.
    let time: Double?
    let isTable: Bool

    /// - Returns: `nil` if the row has no JSON array.
    init?(_ row: ArraySlice<UInt8>) {
      let columns = row.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard let first = columns.firstIndex(where: { $0.contains("[") }) else { return nil }
      let start = columns[first].firstIndex(of: "[") ?? columns[first].startIndex
      let before = columns[..<first].joined() + columns[first][..<start]
      guard before.allSatisfy({ sent.contains($0) || received.contains($0) || $0.isWhitespace || $0 == "\u{FE0F}" })
      else {
        return nil
      }
      message = String(columns[first][start...])
      isSent = before.contains(where: sent.contains) ? true : before.contains(where: received.contains) ? false : nil
      time = columns[(first + 1)...].lazy.compactMap(Self.time).first
      isTable = isSent != nil || columns.count > 1
    }

    /// `10:00:00.120` in milliseconds.
    private static func time(_ column: String) -> Double? {
      let text = column.filter { !$0.isWhitespace }
      // `Double` also reads `inf`, which is not a time.
      guard text.utf8.allSatisfy({ "0123456789:.".utf8.contains($0) }) else { return nil }
      let parts = text.split(separator: ":").map { Double($0) }
      guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
      return FrameLine.time(((hours * 60 + minutes) * 60 + seconds) * 1_000)
    }
  }
}

extension [UInt8] {
  /// The rows without their line ends: `\n`, `\r\n` or `\r`.
  fileprivate func rows() -> [ArraySlice<UInt8>] {
    var rows: [ArraySlice<UInt8>] = []
    var start = startIndex
    for place in indices where self[place] == UInt8(ascii: "\n") || self[place] == UInt8(ascii: "\r") {
      let isSecondHalf =
        self[place] == UInt8(ascii: "\n") && place > startIndex && self[place - 1] == UInt8(ascii: "\r")
      if !isSecondHalf { rows.append(self[start..<place]) }
      start = place + 1
    }
    rows.append(self[start...])
    return rows
  }
}
