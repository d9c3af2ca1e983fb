internal import MirrorSupport

extension WireDecoder {
  /// Decodes a parsed tape by its keys. This file decodes frames and the objects around updates;
  /// `WireDecoder+Fragments.swift` and `WireDecoder+Comprehensions.swift` decode the updates
  /// themselves. ``WireDecoder`` makes one for each JSON text, and uses it before it parses the
  /// next text.
  struct Reader {
    let tape: Tape
    private let text: UnsafeBufferPointer<UInt8>
    /// The outermost value that is decoded: the whole text, or one element of a list of frames.
    private var top = Self.top
    /// The place of ``top`` in the text, or of the white space before it.
    private var topPlace = 0
    /// The bytes of the last update in the text; `nil` if there was none. Set before the update is
    /// decoded.
    private(set) var updateRange: Range<Int>?
    /// The path to ``top``.
    private var place: [SlotPath.Step] = []
    var beside = Beside()

    /// The data beside the tree of the current update: `c`, `t`, `e` and the reply.
    struct Beside {
      var components: [(cid: Int, diff: FragmentDiff)] = []
      var title: String?
      var events: JSONText?
      var reply: JSONText?
      var unknownKeys: [UnknownKey] = []
      var hasUnmarkedMoves = false
    }

    /// - Parameter text: the text from which the tape was parsed.
    init(tape: Tape, of text: UnsafeBufferPointer<UInt8>) {
      (self.tape, self.text) = (tape, text)
    }

    /// The index on the tape of the outermost value of the JSON text. The root word is before it.
    static let top = 1

    func path(to value: Int) -> SlotPath {
      value == top ? SlotPath(place) : SlotPath(place + tape.steps(from: top, to: value))
    }

    func wrong(_ reason: String, at value: Int, _ steps: SlotPath.Step...) -> WireError {
      .wrongShape(at: SlotPath(path(to: value).steps + steps), reason: reason)
    }

    /// The value of the member called `name`. Used for the objects around an update. Their other
    /// members are ignored, so one member is looked up, instead of iterating over all of them with
    /// ``Members``.
    ///
    /// - Throws: if there are two members of that name: it would be unclear which value is meant.
    func only(_ name: String, of object: Int) throws(WireError) -> Int? {
      guard let value = tape.member(name, of: object) else { return nil }
      if let second = tape.member(name, of: object, after: value) {
        throw wrong("the key \"\(name)\" occurs twice in one object", at: second)
      }
      return value
    }

    // MARK: Messages

    /// The one message of an input that should be a Rendered or a diff.
    mutating func single(isMount: Bool) throws(WireError) -> WireMessage {
      let name = isMount ? "rendered" : "diff"
      if tape.kind(Self.top) == .array {
        let message = try frame(Self.top)
        switch (isMount, message.content) {
        case (true, .rendered), (false, .diff): return message
        default:
          throw wrong("this frame must contain a \(name); POST /frames accepts frames of every kind", at: Self.top)
        }
      }
      guard tape.kind(Self.top) == .object else {
        throw wrong("expected a \(name) as a JSON object, or a channel frame as an array", at: Self.top)
      }
      if let response = try only("response", of: Self.top) {
        guard let value = try only(name, of: response) else {
          throw wrong("expected \"\(name)\" in the response", at: response)
        }
        return try update(value, isMount: isMount, beside: response)
      }
      if let value = try only(name, of: Self.top), tape.kind(value) == .object {
        return try update(value, isMount: isMount, beside: Self.top)
      }
      return try update(Self.top, isMount: isMount)
    }

    /// The messages of an input with any number of frames: a recording with `steps`, a list of
    /// frames, or a single frame. An element that cannot be decoded is a failure in its place in
    /// the result.
    mutating func frames() throws(WireError) -> [Result<WireMessage, WireError>] {
      if tape.kind(Self.top) == .object, let steps = try only("steps", of: Self.top), tape.kind(steps) == .array {
        // A recording states the format `html` or the name of a native format.
        let format = try only("format", of: Self.top).flatMap(tape.string)
        return each(of: steps, under: [.key("steps")]).map { step in
          step.map { message in
            var message = message
            message.dialect = format.map { $0 == "html" ? "html" : "native" }
            return message
          }
        }
      }
      if tape.kind(Self.top) == .array {
        var elements = tape.elements(Self.top)
        guard let first = elements.next() else { return [] }
        if tape.kind(first) == .array || tape.kind(first) == .object { return each(of: Self.top, under: []) }
      }
      return [.success(try line(Self.top))]
    }

    private mutating func each(of array: Int, under steps: [SlotPath.Step]) -> [Result<WireMessage, WireError>] {
      var scanner = JSONScanner(text, from: tape.range(of: array, in: top, at: topPlace, of: text).lowerBound)
      scanner.take(UInt8(ascii: "["))
      return tape.elements(array).enumerated().map { position, value in
        (top, place, topPlace) = (value, steps + [.index(position)], scanner.value().lowerBound)
        scanner.take(UInt8(ascii: ","))
        do throws(WireError) { return .success(try line(value)) } catch { return .failure(error) }
      }
    }

    /// Decodes a frame, or an object that contains a frame, a Rendered or a diff.
    private mutating func line(_ value: Int) throws(WireError) -> WireMessage {
      if tape.kind(value) == .array { return try frame(value) }
      guard tape.kind(value) == .object else { throw wrong("expected a frame: an array of five elements", at: value) }
      if let frame = try only("frame", of: value) {
        let sent = try only("sent", of: value)
        var message = try self.frame(frame, from: try sent.flatMap(sender))
        if let at = try only("at", of: value) { message.at = try time(at) }
        if case .rendered = message.content { message.exported = try exported(value) }
        // A recording lists with each frame the frames that the client sent before it.
        if let sent, tape.kind(sent) == .array {
          for frame in tape.elements(sent) {
            guard let push = try? self.frame(frame, from: .client) else { continue }
            switch push.content {
            case .join, .event: message.sentBefore.append(push)
            default: break
            }
          }
        }
        return message
      }
      for name in ["rendered", "diff"] {
        guard let update = try only(name, of: value) else { continue }
        var message = try self.update(update, isMount: name == "rendered", beside: value)
        message.topic = try only("view", of: value).flatMap(tape.string)
        message.dialect = try only("dialect", of: value).flatMap(tape.string)
        if let at = try only("at", of: value) { message.at = try time(at) }
        message.exported = try exported(value)
        return message
      }
      if let components = try only("destroyed", of: value) {
        var message = try destroyed(components)
        message.topic = try only("view", of: value).flatMap(tape.string)
        return message
      }
      if try only(Self.exportMark, of: value) != nil { return WireMessage(content: .other(event: "export")) }
      if try only("topic", of: value) != nil, try only("event", of: value) != nil {
        throw wrong("this \(OtherFile.objectFrames)", at: value)
      }
      throw wrong("expected a frame, or an object with \"frame\", \"rendered\" or \"diff\"", at: value)
    }

    /// Decodes `sent`: whether the client sent the frame. In a recording, `sent` is a list of
    /// client frames instead, and the frame itself is the server's.
    private func sender(_ sent: Int) throws(WireError) -> Sender? {
      if tape.isTrue(sent) { return .client }
      if tape.isFalse(sent) || tape.kind(sent) == .array { return .server }
      guard tape.isNull(sent) else { throw wrong("\"sent\" must be true or false", at: sent) }
      return nil
    }

    /// Decodes `at`. The latest time is that of `Timestamp`: the year 9999.
    private func time(_ value: Int) throws(WireError) -> Double? {
      if tape.isNull(value) { return nil }
      guard let number = tape.number(value), number >= 0, number < 253_402_300_800_000 else {
        throw wrong("\"at\" must be a time in milliseconds since 1970", at: value)
      }
      return number
    }

    enum Sender { case client, server }

    /// Decodes `[join_ref, ref, topic, event, payload]` (Phoenix channel protocol 2.0.0).
    ///
    /// - Parameter sender: `nil` if the input does not name it. Then the event decides: only
    ///   clients send `phx_join`.
    private mutating func frame(_ value: Int, from sender: Sender? = nil) throws(WireError) -> WireMessage {
      let fields = Array(tape.elements(value))
      guard fields.count == 5, let topic = tape.string(fields[2]), let event = tape.string(fields[3]) else {
        throw wrong(
          "a frame must be [join_ref, ref, topic, event, payload] with strings for topic and event", at: value)
      }
      let payload = fields[4]
      var message = WireMessage(content: .other(event: event))
      switch (event, sender) {
      case ("phx_join", nil), ("phx_join", .client): message.content = .join(try join(payload))
      case ("diff", nil), ("diff", .server): message = try update(payload, isMount: false)
      case ("phx_reply", nil), ("phx_reply", .server): message = try reply(payload) ?? message
      default:
        message.move = move(event, payload)
        if sender != .server, let event = clientEvent(event, payload) { message.content = .event(event) }
      }
      message.topic = topic
      message.joinRef = try reference(fields[0])
      // Some servers omit the ref of a broadcast, so another value than a ref is not an error here.
      message.ref = try? reference(fields[1])
      if case .join = message.content, message.joinRef == nil { message.joinRef = message.ref }
      return message
    }

    /// Decodes a reference. phoenix.js sends its reference numbers as strings. It accepts a message
    /// with an empty `join_ref` for any join, so an empty one is decoded as `nil`.
    private func reference(_ value: Int) throws(WireError) -> String? {
      if let text = tape.string(value) {
        guard text.utf8.count <= WireMessage.longestReference else {
          throw wrong("a frame's join_ref must have at most \(WireMessage.longestReference) bytes", at: value)
        }
        return text.isEmpty ? nil : text
      }
      if let number = tape.integer(value) { return String(number) }
      guard tape.isNull(value) else { throw wrong("a frame's join_ref must be a string or null", at: value) }
      return nil
    }

    /// Decodes the update, the destroyed components, the new address or the refusal in a reply;
    /// `nil` if the reply has none of these.
    private mutating func reply(_ payload: Int) throws(WireError) -> WireMessage? {
      guard let response = try only("response", of: payload), let status = try only("status", of: payload) else {
        return nil
      }
      guard tape.string(status) == "ok" else {
        let reason = try only("reason", of: response).flatMap(tape.string)?.beginning(WireMessage.longestText)
        var message = WireMessage(content: .refused(reason: reason))
        message.move = moveBeside(response)
        return message
      }
      for name in ["rendered", "diff"] {
        guard let update = try only(name, of: response) else { continue }
        var message = try self.update(update, isMount: name == "rendered", beside: response)
        message.move = moveBeside(response)
        return message
      }
      if let move = moveBeside(response) {
        var message = WireMessage(content: .other(event: "phx_reply"))
        message.move = move
        return message
      }
      guard let cids = try only("cids", of: response), tape.kind(cids) == .array else { return nil }
      return WireMessage(content: .destroyed(components: tape.elements(cids).compactMap(tape.integer)))
    }

    // MARK: Updates

    /// Decodes an update in a response. A join reply has LiveView's version beside the update, and
    /// an export also the client's version.
    private mutating func update(
      _ value: Int, isMount: Bool, beside response: Int
    ) throws(WireError) -> WireMessage {
      var message = try update(value, isMount: isMount)
      if isMount {
        message.liveViewVersion = try only("liveview_version", of: response).flatMap(tape.string)
        message.clientVersion = try only("client", of: response).flatMap(tape.string)
        message.container = try only("container", of: response).flatMap(container)
      }
      return message
    }

    private mutating func update(_ value: Int, isMount: Bool) throws(WireError) -> WireMessage {
      let range = tape.range(of: value, in: top, at: topPlace, of: text)
      updateRange = range
      guard tape.kind(value) == .object else { throw wrong("expected an object", at: value) }
      beside = Beside()
      let root = try fragment(value, templates: nil, place: .update)
      // The swap moves the data out of the reader without copying its arrays.
      var beside = Beside()
      swap(&beside, &self.beside)
      let diff = Diff(
        root: root, components: beside.components, title: beside.title, events: beside.events, reply: beside.reply,
        unknownKeys: beside.unknownKeys, hasUnmarkedMoves: beside.hasUnmarkedMoves)
      let json = JSONText(String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self))
      let place = path(to: value)
      if isMount { return WireMessage(content: .rendered(diff), place: place, json: json) }
      return WireMessage(content: .diff(diff), place: place, json: json)
    }
  }
}
