package import RenderedTree

extension LiveViews {
  /// The decoded traffic of a file. ``LiveViews/traffic(of:)`` makes it, and
  /// ``LiveViews/feed(_:dialect:container:before:each:)`` applies it: for an import, for `replay`
  /// and for `check`. All frames are decoded before the first is applied.
  package struct FileTraffic {
    package let format: Capture.Format
    /// The number of messages that belong to no LiveView.
    let skipped: Int
    /// The parts of the file that were recorded separately.
    var parts: [Part] = []

    /// The number of frames of all parts.
    package var count: Int { parts.reduce(0) { $0 + $1.messages.count } }

    /// Whether any frame has a time.
    package var isTimed: Bool {
      parts.contains { $0.messages.contains { message in (try? message.get().at) != nil } }
    }

    /// The first refused join as a clause, with what to do; `nil` if no join was refused.
    package var refusal: String? {
      for case .success(let message) in parts.lazy.flatMap(\.messages) {
        guard case .refused(let reason) = message.content, message.ref != nil, message.ref == message.joinRef else {
          continue
        }
        let join = "the join of \(message.topic ?? "a view")\(reason.map { " (reason: \($0))" } ?? "")"
        return
          "the server has refused \(join): record a page load whose join succeeds; reload the page, or log in again"
      }
      return nil
    }

    /// The traffic of one page load, or of a file that names none.
    struct Part {
      let page: CapturedPage
      /// The frames, in order.
      let messages: [Result<WireMessage, WireError>]
      /// The number of each frame's line in the file; `nil` for a file that is one JSON text.
      let lines: [Int]?

      /// - Parameter frames: the decoded input of the page.
      init(_ page: CapturedPage, _ frames: WireDecoder.Frames) {
        messages = frames.messages
        lines = frames.lines.map { $0.compactMap(page.origin.line(ofInput:)) }
        var page = page
        page.input = []
        self.page = page
      }

      /// The place of a frame in the file, such as `line 7`; `nil` if the number of the frame
      /// suffices.
      ///
      /// - Parameter id: the id of the page, if the file has several.
      func place(of frame: Int, page id: String?) -> String? {
        if let lines, lines.indices.contains(frame) { return "line \(lines[frame])" }
        return id.map { "page \($0)" }
      }
    }

    /// The facts about a frame that are known before it is applied. `replay` waits until the time
    /// of the frame.
    package struct Frame: Sendable {
      /// The index of the part of the file.
      package let part: Int
      /// When the client sent or received the frame, in milliseconds; `nil` if the file does not
      /// say so.
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
