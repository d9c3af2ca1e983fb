internal import MirrorSupport

/// An HTTP archive (HAR 1.2). Chrome (since 76) adds the messages of a WebSocket to its entry as
/// `_webSocketMessages`:
///
///     {"log": {"pages": [{"id": "page_1", "startedDateTime": "2026-11-24T10:00:00.000Z", "title": "http://localhost:4000/"}],
///              "entries": [{"pageref": "page_1", "request": {"url": "ws://localhost:4000/live/websocket?…"},
///                           "_webSocketMessages": [{"type": "send", "time": 1764000000.1, "opcode": 1, "data": "[…]"}]}]}}
///
/// The archives of Firefox have the same pages and entries, and times with a zone
/// (`2026-11-24T11:00:00.000+01:00`). They have no messages in the versions that were examined.
/// Tools that add the messages use the members that Chrome has. ``CaptureReader`` reads archives
/// with this type.
enum HARFile {
  /// Whether a text begins with an object that has a member `log`, before a member that only frames
  /// and recordings have.
  ///
  /// - Complexity: O(*bytes before that member*).
  static func isRecognised(_ bytes: [UInt8]) -> Bool {
    // The rest of the text need not be JSON, so that a file that was cut is still recognised.
    bytes.withUnsafeBufferPointer { text in
      var scanner = JSONScanner(text)
      guard scanner.take(UInt8(ascii: "{")) else { return false }
      while let name = scanner.name() {
        switch String(decoding: text[name], as: UTF8.self) {
        case "log": return true
        case "frame", "rendered", "diff", "steps", "destroyed": return false
        default: scanner.value()
        }
      }
      return false
    }
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
    /// In milliseconds since 1970.
    let time: Double?
    /// Whether the client sent it; `nil` if the file does not say so.
    let isSent: Bool?
    /// The index of the text on the tape.
    let text: Int
  }

  /// The entries of one page load.
  private struct Load {
    /// The address of its first request that is not a socket.
    var url: String?
    /// The messages of each socket, in the order of the file.
    var sockets: [[Message]] = []

    /// The messages of all sockets in the order of their times. Those of one socket keep their
    /// order, also if the clock of the browser was set back: a message counts as not earlier than
    /// the one before it.
    ///
    /// - Complexity: O(*n* log *n*).
    var messages: [Message] {
      var timed: [(time: Double, message: Message)] = []
      for socket in sockets {
        var latest = 0.0
        for message in socket {
          latest = max(latest, message.time ?? 0)
          timed.append((latest, message))
        }
      }
      return timed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
        \.element.message)
    }
  }

  private struct Reader {
    let tape: WireDecoder.Tape

    func capture() throws(WireError) -> Capture {
      guard let log = tape.member("log", of: WireDecoder.Reader.top),
        let entries = tape.member("entries", of: log), tape.kind(entries) == .array
      else { throw .wrongShape(at: SlotPath([.key("log")]), reason: "a HAR must have an array log.entries") }
      var capture = Capture(format: .har, pages: [])
      var (loads, order): ([String: Load], [String]) = ([:], [])
      var (count, messages) = (0, 0)
      var (polled, objects): (String?, Int) = (nil, 0)
      for entry in tape.elements(entries) {
        count += 1
        let page = text("pageref", of: entry) ?? ""
        if loads.updateValue(loads[page] ?? Load(), forKey: page) == nil { order.append(page) }
        guard let list = tape.member("_webSocketMessages", of: entry), tape.kind(list) == .array else {
          let url = tape.member("request", of: entry).flatMap { text("url", of: $0) }
          if let url, url.hasPrefix("http"), loads[page]?.url == nil { loads[page]?.url = url }
          if let path = url?.split(separator: "?").first, path.hasSuffix("/longpoll") { polled = String(path) }
          continue
        }
        var socket: [Message] = []
        for element in tape.elements(list) {
          messages += 1
          if let message = message(element) {
            socket.append(message)
          } else {
            capture.skipped += 1
            if let data = tape.member("data", of: element), tape.kind(data) == .string {
              objects += OtherFile.isObjectFrame(tape.bytes(data)) ? 1 : 0
            }
          }
        }
        if !socket.isEmpty { loads[page]?.sockets.append(socket) }
      }
      if messages == 0 { throw withoutMessages(entries: count, in: log, polled: polled) }
      let described = describedPages(of: log)
      var ids: Set<String> = []
      for (index, page) in order.enumerated() {
        guard let load = loads[page], !load.sockets.isEmpty else { continue }
        var captured = self.page(described[page], at: index, load)
        // Two page loads that began at the same time would have the same id.
        if let id = captured.id, !ids.insert(id).inserted { captured.id = "\(id)-\(index + 1)" }
        capture.pages.append(captured)
      }
      if capture.pages.isEmpty { throw Self.withoutLiveViews(messages: capture.skipped, objects: objects) }
      return capture
    }

    private func text(_ name: String, of object: Int) -> String? {
      tape.member(name, of: object).flatMap(tape.string)
    }

    /// - Returns: `nil` if the message belongs to no LiveView.
    private func message(_ value: Int) -> Message? {
      guard let data = tape.member("data", of: value), tape.kind(data) == .string, isLiveViewFrame(tape.bytes(data))
      else {
        return nil
      }
      if let opcode = tape.member("opcode", of: value).flatMap(tape.number), opcode != 1 { return nil }
      return Message(
        time: tape.member("time", of: value).flatMap(tape.number).flatMap(Self.milliseconds),
        isSent: text("type", of: value).map { $0.hasPrefix("s") }, text: data)
    }

    /// Chrome writes seconds since 1970. Milliseconds and the microseconds of Firefox's tools are
    /// recognised by their size.
    private static func milliseconds(_ time: Double) -> Double? {
      FrameLine.time(time < 1e11 ? time * 1_000 : time < 1e14 ? time : time / 1_000)
    }

    /// The descriptions of the pages by their ids. If two descriptions have one id, the first one
    /// is used.
    private func describedPages(of log: Int) -> [String: Int] {
      guard let pages = tape.member("pages", of: log), tape.kind(pages) == .array else { return [:] }
      var described: [String: Int] = [:]
      for page in tape.elements(pages) {
        if let id = text("id", of: page), described[id] == nil { described[id] = page }
      }
      return described
    }

    private func page(_ described: Int?, at index: Int, _ load: Load) -> CapturedPage {
      let title = described.flatMap { text("title", of: $0) }
      var page = CapturedPage(
        id: Self.id(described.flatMap { text("startedDateTime", of: $0) }, at: index), origin: .strings)
      // A browser writes the address of the page as its title. Other tools write the real title.
      page.url = title.flatMap { $0.contains("://") ? $0 : nil } ?? load.url
      if let title, !title.contains("://") { page.title = title }
      let messages = load.messages
      let times = messages.lazy.compactMap(\.time)
      page.openedAt = times.min().map { Int64($0) }
      page.closedAt = times.max().map { Int64($0) }
      for message in messages {
        page.input += FrameLine.bytes(tape.bytes(message.text), isSent: message.isSent, at: message.time)
      }
      return page
    }

    /// An id that is the same at each import of the file: `har-20261124T100000.000Z`. A time with
    /// another zone is converted.
    private static func id(_ started: String?, at index: Int) -> String {
      let time = started.flatMap { HARTime.utc($0) } ?? started ?? ""
      let name = time.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789.".unicodeScalars.contains($0))
      }
      return "har-" + (name.isEmpty ? "\(index + 1)" : String(String.UnicodeScalarView(name.prefix(32))))
    }

    // MARK: Errors

    /// - Parameter polled: the address of requests by which the page polled; `nil` if it did not.
    private func withoutMessages(entries: Int, in log: Int, polled: String?) -> WireError {
      if let polled {
        return .wrongShape(
          at: SlotPath([.key("log"), .key("entries")]),
          reason: """
            the page used long polling (\(polled)) and no WebSocket, so the HAR has no messages. A browser tab remembers that: open \
            the page in a new tab, with the developer tools open, or use the tap, which reads long polling too
            """)
      }
      let creator = tape.member("creator", of: log).flatMap { text("name", of: $0) }
      let chrome = """
        In Chrome, open the developer tools before the page loads, select "Network", reload the page, and use "Export HAR": it writes \
        the messages of each WebSocket that was opened while the tools were open
        """
      let firefox = """
        Firefox does not write them: record the page in Chrome, or copy the messages from the "Response" panel of the WebSocket, each \
        on a line of its own
        """
      return .wrongShape(
        at: SlotPath([.key("log"), .key("entries")]),
        reason: """
          the HAR has \(entries) \(entries == 1 ? "entry" : "entries"), none with WebSocket messages. \
          \(creator == "Firefox" ? "\(firefox). \(chrome)" : "\(chrome). \(firefox)"). The tap needs no file
          """)
    }

    /// - Parameter objects: the number of messages that are objects, as those of protocol 1.0.0.
    private static func withoutLiveViews(messages: Int, objects: Int) -> WireError {
      .wrongShape(
        at: SlotPath([.key("log"), .key("entries")]),
        reason: objects > 0
          ? "each of \(objects) of the \(messages) WebSocket messages \(OtherFile.objectFrames)"
          : """
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
    if reason == JSONFault.contentAfterEnd {
      return .notJSON(
        offset: offset,
        reason: "the HAR ends before this byte, and other content follows: put each HAR into a file of its own")
    }
    // In a file that was cut inside a string, the parser names the beginning of this string, which
    // may be far before the end. The reason therefore also has the size.
    return .notJSON(
      offset: offset,
      reason:
        "the HAR is not complete JSON (\(reason)); it has \(size) bytes, and its end is perhaps missing: export it again"
    )
  }
}

/// The times of an HTTP archive: ISO 8601, such as `2026-11-24T11:00:00.000+01:00`.
enum HARTime {
  /// A time with an offset from UTC, in UTC: `2026-11-24T10:00:00.000Z`.
  ///
  /// - Returns: `nil` if the text has no offset, or is not a time from 1970 to 9998.
  static func utc(_ text: String) -> String? {
    guard
      let match = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([+-])(\d\d):?(\d\d)/.asciiOnlyDigits())
    else { return nil }
    let (_, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute) = match.output
    func number(_ text: Substring) -> Int64 { Int64(text) ?? 0 }
    guard (1970...9998).contains(number(year)), (1...12).contains(number(month)), (1...31).contains(number(day)),
      number(hour) < 24, number(minute) < 60,
      number(second) <= 60
    else { return nil }
    let days = days(to: number(year), number(month), number(day))
    let zone = (number(zoneHour) * 60 + number(zoneMinute)) * (sign == "-" ? -1 : 1)
    let seconds = ((days * 24 + number(hour)) * 60 + number(minute) - zone) * 60 + number(second)
    let milliseconds = number(((fraction ?? "") + "000").prefix(3))
    return Timestamp.text(seconds * 1_000 + milliseconds)
  }

  /// The days from 1970-01-01 to a date of the Gregorian calendar. The year is counted from March,
  /// so that a leap day is its last day.
  private static func days(to year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let years = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - 719_468
  }
}
