internal import MirrorSupport

/// An HTTP archive (HAR 1.2). Chrome (since 76) adds the messages of a WebSocket to its entry as `_webSocketMessages`:
///
///     {"log": {"pages": [{"id": "page_1", "startedDateTime": "2026-11-24T10:00:00.000Z", "title": "http://localhost:4000/"}],
///              "entries": [{"pageref": "page_1", "request": {"url": "ws://localhost:4000/live/websocket?…"},
///                           "_webSocketMessages": [{"type": "send", "time": 1764000000.1, "opcode": 1, "data": "[…]"}]}]}}
enum HARFile {
  /// Whether a text begins like a HAR: an object whose first member is `log`.
  static func isRecognised(_ bytes: [UInt8]) -> Bool {
    let beginning = bytes.prefix(256).filter { !JSONFault.isSpace($0) }
    return beginning.starts(with: Array("{\"log\":".utf8))
  }

  static func read(_ bytes: [UInt8]) throws(WireError) -> Capture {
    let decoder = WireDecoder()
    return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      let tape: WireDecoder.Tape
      do throws(WireError) { tape = try decoder.parse(bytes, maximumValues: .max) } catch {
        throw error.ofCutFile(bytes.count)
      }
      return try Reader(tape: tape).capture()
    }
  }

  /// One message of a socket.
  private struct Message {
    let time: Double?
    let isSent: Bool
    /// The index of the text on the tape.
    let text: Int
  }

  private struct Reader {
    let tape: WireDecoder.Tape

    func capture() throws(WireError) -> Capture {
      guard let log = tape.member("log", of: WireDecoder.Reader.top),
        let entries = tape.member("entries", of: log), tape.kind(entries) == .array
      else { throw .wrongShape(at: SlotPath([.key("log")]), reason: "a HAR must have an array log.entries") }
      var capture = Capture(format: .har, pages: [])
      var (messages, order): ([String: [Message]], [String]) = ([:], [])
      var (count, sockets) = (0, 0)
      for entry in tape.elements(entries) {
        count += 1
        guard let list = tape.member("_webSocketMessages", of: entry), tape.kind(list) == .array else { continue }
        sockets += 1
        let page = tape.member("pageref", of: entry).flatMap(tape.string) ?? ""
        if messages.updateValue(messages[page] ?? [], forKey: page) == nil { order.append(page) }
        for element in tape.elements(list) {
          if let message = message(element) {
            messages[page, default: []].append(message)
          } else {
            capture.skipped += 1
          }
        }
      }
      if sockets == 0 { throw Self.withoutMessages(entries: count) }
      for (index, page) in order.enumerated() {
        guard let messages = messages[page], !messages.isEmpty else { continue }
        capture.pages.append(self.page(page, at: index, of: log, messages))
      }
      if capture.pages.isEmpty { throw Self.withoutLiveViews(messages: capture.skipped) }
      return capture
    }

    /// - Returns: `nil` if the message belongs to no LiveView.
    private func message(_ value: Int) -> Message? {
      guard let text = tape.member("data", of: value), tape.kind(text) == .string, isLiveViewFrame(tape.bytes(text))
      else {
        return nil
      }
      if let opcode = tape.member("opcode", of: value).flatMap(tape.number), opcode != 1 { return nil }
      let time = tape.member("time", of: value).flatMap(tape.number)
      return Message(
        time: time.map(Self.milliseconds),
        isSent: tape.member("type", of: value).flatMap(tape.string)?.hasPrefix("s") ?? false,
        text: text)
    }

    /// Chrome writes seconds since 1970.
    private static func milliseconds(_ time: Double) -> Double {
      ((time < 1e11 ? time * 1_000 : time) * 10).rounded() / 10
    }

    private func page(_ ref: String, at index: Int, of log: Int, _ messages: [Message]) -> CapturedPage {
      let pages = tape.member("pages", of: log)
      let described = pages.flatMap { pages in
        tape.kind(pages) != .array
          ? nil : tape.elements(pages).first { tape.member("id", of: $0).flatMap(tape.string) == ref }
      }
      let started = described.flatMap { tape.member("startedDateTime", of: $0) }.flatMap(tape.string)
      let title = described.flatMap { tape.member("title", of: $0) }.flatMap(tape.string)
      var page = CapturedPage(id: Self.id(started, at: index))
      // Chrome writes the address as the title of the page.
      if let title, title.contains("://") { page.url = title } else { page.title = title }
      // A page may have several sockets. The sort is stable, so messages of one socket keep their order.
      let sorted = messages.enumerated().sorted { a, b in
        (a.element.time ?? 0, a.offset) < (b.element.time ?? 0, b.offset)
      }.map(\.element)
      page.openedAt = sorted.first?.time.map { Int64($0) }
      page.closedAt = sorted.last?.time.map { Int64($0) }
      for message in sorted {
        page.input += FrameLine.bytes(tape.bytes(message.text), isSent: message.isSent, at: message.time)
      }
      return page
    }

    /// An id that is the same at each import of the file: `har-20261124T100000.000Z`.
    private static func id(_ started: String?, at index: Int) -> String {
      let name = (started ?? "").unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789.".unicodeScalars.contains($0))
      }
      return "har-" + (name.isEmpty ? "\(index + 1)" : String(String.UnicodeScalarView(name.prefix(32))))
    }

    private static func withoutMessages(entries: Int) -> WireError {
      .wrongShape(
        at: SlotPath([.key("log"), .key("entries")]),
        reason: """
          the HAR has \(entries) entries, and none has WebSocket messages. To record them in Chrome, open the developer tools before the \
          page loads, select "Network", reload the page, and use "Export HAR"; it writes the messages of each WebSocket that was \
          opened while the tools were open
          """)
    }

    private static func withoutLiveViews(messages: Int) -> WireError {
      .wrongShape(
        at: SlotPath([.key("log"), .key("entries")]),
        reason: """
          none of the \(messages) WebSocket messages of the HAR belongs to a LiveView: their topics do not begin with lv:. Reload the \
          page of the LiveView while the developer tools are open, and export again
          """)
    }
  }
}

extension WireError {
  /// The error of a HAR that is not JSON.
  fileprivate func ofCutFile(_ size: Int) -> WireError {
    guard case .notJSON(let offset, let reason) = self else { return self }
    // The place that the parser names may be the beginning of the last, unfinished string.
    return .notJSON(
      offset: offset,
      reason:
        "the HAR is not complete JSON (\(reason)); it has \(size) bytes, and its end is perhaps missing: export it again"
    )
  }
}
