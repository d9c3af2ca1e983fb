internal import MirrorSupport

/// A file that people take for one with traffic, recognised by its content. ``CaptureReader`` says what to do instead.
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

  /// What a text is that is neither JSON nor a table of messages, and what to do; `nil` for an unknown text.
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

  /// Whether a text is such a message.
  static func isObjectFrame(_ text: some Collection<UInt8>) -> Bool {
    let beginning = Array(text.prefix(512))
    return beginning.first == UInt8(ascii: "{") && beginning.contains(Array("\"topic\"".utf8))
      && beginning.contains(Array("\"event\"".utf8))
  }
}
