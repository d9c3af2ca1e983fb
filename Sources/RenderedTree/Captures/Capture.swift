internal import MirrorSupport

/// The LiveView traffic in a file, recognised by the content of the file. ``CaptureReader`` makes
/// one, and `LiveViews` imports its pages.
package struct Capture: Sendable {
  /// What a file can be.
  package enum Format: String, Sendable, CaseIterable {
    /// Channel frames, or a recording: what `POST /frames` accepts.
    case frames
    /// An export of this program (`GET /views/{view}/export`), or several one after the other.
    case export
    /// An HTTP archive (HAR 1.2) with the WebSocket messages that Chrome and Firefox add to its
    /// entries.
    case har
    /// Rows of the messages table in the browser's developer tools.
    case table
  }

  package let format: Format
  /// The parts of the file that were recorded separately: page loads of a HAR, or views of exports.
  /// A file of another format is one part. Never empty.
  package var pages: [CapturedPage]
  /// The number of messages that belong to no LiveView: other sockets, heartbeats, binary messages.
  package var skipped = 0
}

/// The traffic of one page load, of one exported view, or of a whole file that names no page loads.
package struct CapturedPage: Sendable {
  /// The id of the page; `nil` if the file states none.
  package var id: String?
  package var url: String?
  package var title: String?
  /// The id of the view, in an export.
  package var view: String?
  /// The address that the view shows, in an export.
  package var viewURL: String?
  /// The time of the first message, in milliseconds since 1970; `nil` if no message has a time, and
  /// in other formats than a HAR.
  package var openedAt: Int64?
  /// The time of the last message.
  package var closedAt: Int64?
  /// The frames as ``WireDecoder/Form/frames`` describes them.
  package var input: [UInt8]
  /// The place of `input` in the file.
  package var origin: Origin

  /// Where the frames of a page are in the file, for messages about them.
  package enum Origin: Sendable {
    /// The input is a part of the file.
    ///
    /// - Parameters:
    ///   - line: the number of its first line in the file, from 1.
    ///   - byte: the number of bytes before it in the file.
    case part(line: Int, byte: Int)
    /// The numbers of the rows that the lines of the input were made from.
    case rows([Int])
    /// The messages were JSON strings in the file, so no line of the file corresponds to a line of
    /// the input.
    case strings

    /// The number of the line of the file that a line of the input comes from; `nil` if there is no
    /// such line.
    ///
    /// - Parameter line: the number of the line in the input, from 1.
    package func line(ofInput line: Int) -> Int? {
      switch self {
      case .part(let first, _): first + line - 1
      case .rows(let rows): rows.indices.contains(line - 1) ? rows[line - 1] : nil
      case .strings: nil
      }
    }

    /// The offset in the file of the byte at an offset of the input; `nil` if the input is not a
    /// part of the file.
    package func offset(ofInput offset: Int) -> Int? {
      if case .part(_, let byte) = self { byte + offset } else { nil }
    }
  }

  init(id: String? = nil, input: [UInt8] = [], origin: Origin = .part(line: 1, byte: 0)) {
    self.id = id
    self.input = input
    self.origin = origin
  }
}

/// A line for `POST /frames`: `{"at": ms, "sent": bool, "frame": […]}`. ``HARFile`` and
/// ``MessageTable`` write the messages of their files as such lines.
enum FrameLine {
  /// - Parameters:
  ///   - frame: the frame as it was sent. Line feeds outside of strings become spaces.
  ///   - isSent: whether the client sent it; `nil` if this is not known.
  ///   - time: in milliseconds since 1970, as ``time(_:)`` returns it; `nil` if it is not known.
  static func bytes(_ frame: some Collection<UInt8>, isSent: Bool?, at time: Double?) -> [UInt8] {
    var line: [UInt8] = Array("{".utf8)
    if let time { line += "\"at\":\(time == time.rounded() ? String(Int64(time)) : String(time)),".utf8 }
    if let isSent { line += "\"sent\":\(isSent),".utf8 }
    line += "\"frame\":".utf8
    line += frame.lazy.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    line += "}\n".utf8
    return line
  }

  /// A time that a file states, if a line can contain it. A time after the year 9999, the limit of
  /// `Timestamp`, is refused, because a number such as `1e300` would not fit into the integers that
  /// are computed from it.
  ///
  /// - Returns: milliseconds since 1970, with one decimal place; `nil` for a time before 1970 or
  ///   after 9999.
  static func time(_ milliseconds: Double) -> Double? {
    let time = (milliseconds * 10).rounded() / 10
    return (0..<253_402_300_800_000).contains(time) ? time : nil
  }
}
