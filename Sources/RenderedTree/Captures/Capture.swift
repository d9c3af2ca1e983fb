/// The LiveView traffic in a file, recognised by the content of the file.
package struct Capture: Sendable {
  /// What a file can be.
  package enum Format: String, Sendable, CaseIterable {
    /// Channel frames, or a recording: what `POST /frames` accepts.
    case frames
    /// An export of this program (`GET /views/{view}/export`), or several one after the other.
    case export
    /// An HTTP archive (HAR 1.2) with the WebSocket messages that Chrome and Firefox add to its entries.
    case har
    /// Rows of the messages table in the browser's developer tools.
    case table
  }

  package let format: Format
  /// The parts of the file that were recorded separately: page loads of a HAR, or views of exports. Never empty.
  package var pages: [CapturedPage]
  /// The number of messages that belong to no LiveView: other sockets, heartbeats, binary messages.
  package var skipped = 0
}

/// The traffic of one page load, or of a file that names none.
package struct CapturedPage: Sendable {
  /// The id of the page; `nil` if the file names none.
  package var id: String?
  package var url: String?
  package var title: String?
  /// The address that the view shows, in an export.
  package var viewURL: String?
  /// The time of the first message, in milliseconds since 1970; `nil` if the file does not say so.
  package var openedAt: Int64?
  /// The time of the last message.
  package var closedAt: Int64?
  /// The frames as ``WireDecoder/Form/frames`` describes them.
  package var input: [UInt8]

  init(id: String? = nil, input: [UInt8] = []) {
    self.id = id
    self.input = input
  }
}
