package import RenderedTree

extension LiveViews {
  /// The decoded traffic of a file.
  package struct FileTraffic {
    package let format: Capture.Format
    /// The number of messages that belong to no LiveView.
    let skipped: Int
    /// The parts of the file that were recorded separately, each with its frames.
    var parts: [(page: CapturedPage, messages: [Result<WireMessage, WireError>])] = []

    /// The number of frames of all parts.
    package var count: Int { parts.reduce(0) { $0 + $1.messages.count } }

    /// Whether a frame has a time.
    package var isTimed: Bool {
      parts.contains { $0.messages.contains { message in (try? message.get().at) != nil } }
    }

    /// What is known of a frame before it is applied.
    package struct Frame: Sendable {
      /// The index of the part of the file.
      package let part: Int
      /// When the client sent or received the frame, in milliseconds; `nil` if the file does not say so.
      package let at: Double?
      /// Whether the frame has a page or a diff.
      package let isUpdate: Bool

      init(part: Int, _ message: WireMessage) {
        self.part = part
        at = message.at
        switch message.content {
        case .rendered, .diff: isUpdate = true
        case .destroyed, .join, .event, .refused, .other: isUpdate = false
        }
      }
    }
  }
}
