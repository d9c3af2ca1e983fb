extension WireDecoder {
  /// Reads a tape by the keys that are there. What stands around an update is read here; the update itself in
  /// `WireDecoder+Fragments.swift` and `WireDecoder+Comprehensions.swift`.
  struct Reader {
    let tape: Tape
    /// The outermost value that is read, and where in the input it stands.
    private var top = Self.top
    private var place: [SlotPath.Step] = []
    var beside = Beside()

    /// What stands beside the tree of the update at hand: `c`, `t`, `e` and the reply.
    struct Beside {
      var components: [(cid: Int, diff: FragmentDiff)] = []
      var title: String?
      var events: JSONText?
      var reply: JSONText?
      var unknownKeys: [UnknownKey] = []
    }

    init(tape: Tape) { self.tape = tape }

    /// The tape's first word is the document's; its value follows.
    static let top = 1

    func path(to value: Int) -> SlotPath {
      value == top ? SlotPath(place) : SlotPath(place + tape.steps(from: top, to: value))
    }

    func wrong(_ reason: String, at value: Int, _ steps: SlotPath.Step...) -> WireError {
      .wrongShape(at: SlotPath(path(to: value).steps + steps), reason: reason)
    }

    /// The value of the one member called `name`. What wraps an update has members that nobody reads, so ``Members`` does
    /// not go over it; yet of two values for one key, none can be taken for the one that was meant.
    private func only(_ name: String, of object: Int) throws(WireError) -> Int? {
      guard let value = tape.member(name, of: object) else { return nil }
      if let second = tape.member(name, of: object, after: value) {
        throw wrong("the key \"\(name)\" stands twice in one object", at: second)
      }
      return value
    }

    // MARK: Messages

    /// The one message of an input that is meant to be a Rendered or a diff.
    ///
    /// - Parameter text: the whole input.
    mutating func single(isMount: Bool, of text: UnsafeBufferPointer<UInt8>) throws(WireError) -> WireMessage {
      let name = isMount ? "rendered" : "diff"
      if tape.kind(Self.top) == .array {
        let message = try frame(Self.top)
        switch (isMount, message.content) {
        case (true, .rendered), (false, .diff): return message
        default: throw wrong("this frame carries no \(name); POST /frames takes frames of every kind", at: Self.top)
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
      return try update(Self.top, isMount: isMount, as: JSONText(String(decoding: text, as: UTF8.self)))
    }

    mutating func frames() throws(WireError) -> [Result<WireMessage, WireError>] {
      if tape.kind(Self.top) == .object, let steps = try only("steps", of: Self.top), tape.kind(steps) == .array {
        // A recording says what its pages are: `html`, or the name of a native format.
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
      tape.elements(array).enumerated().map { position, value in
        (top, place) = (value, steps + [.index(position)])
        do throws(WireError) { return .success(try line(value)) } catch { return .failure(error) }
      }
    }

    /// A frame, or an object that holds a frame, a Rendered or a diff.
    private mutating func line(_ value: Int) throws(WireError) -> WireMessage {
      if tape.kind(value) == .array { return try frame(value) }
      guard tape.kind(value) == .object else { throw wrong("expected a frame, which is an array of five", at: value) }
      if let frame = try only("frame", of: value) {
        let sent = try only("sent", of: value)
        if let sent, tape.isTrue(sent) { return try self.frame(frame, from: .client) }
        var message = try self.frame(frame, from: sent == nil ? nil : .server)
        // A recording lists with each frame what the client sent before it. Joins alone matter.
        if let sent, tape.kind(sent) == .array {
          for frame in tape.elements(sent) {
            if let join = try? self.frame(frame, from: .client), case .join = join.content {
              message.joinsBefore.append(join)
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
        return message
      }
      throw wrong("expected a frame, or an object with \"frame\", \"rendered\" or \"diff\"", at: value)
    }

    private enum Sender { case client, server }

    /// `[join_ref, ref, topic, event, payload]` of Phoenix's channel protocol 2.0.0.
    ///
    /// - Parameter sender: `nil` where the input does not say; then the event tells, since no server sends `phx_join`.
    private mutating func frame(_ value: Int, from sender: Sender? = nil) throws(WireError) -> WireMessage {
      let fields = Array(tape.elements(value))
      guard fields.count == 5, let topic = tape.string(fields[2]), let event = tape.string(fields[3]) else {
        throw wrong("a frame is [join_ref, ref, topic, event, payload], with topic and event as strings", at: value)
      }
      var message = WireMessage(content: .other(event: event))
      switch (event, sender) {
      case ("phx_join", nil), ("phx_join", .client):
        message.content = .join(JoinPush(origin: try origin(of: fields[4])))
      case ("diff", nil), ("diff", .server): message = try update(fields[4], isMount: false)
      case ("phx_reply", nil), ("phx_reply", .server): message = try reply(fields[4]) ?? message
      default: break
      }
      message.topic = topic
      message.joinRef = try reference(fields[0])
      if case .join = message.content, message.joinRef == nil { message.joinRef = try reference(fields[1]) }
      return message
    }

    /// phoenix.js numbers its references and sends them as strings. It takes a reply with an empty one for one of every
    /// join.
    private func reference(_ value: Int) throws(WireError) -> String? {
      if let text = tape.string(value) { return text.isEmpty ? nil : text }
      if let number = tape.integer(value) { return String(number) }
      guard tape.isNull(value) else { throw wrong("a frame's join_ref is a string or null", at: value) }
      return nil
    }

    private func origin(of payload: Int) throws(WireError) -> JoinPush.Origin {
      if let params = try only("params", of: payload), let mounts = try only("_mounts", of: params),
        let number = tape.integer(mounts), number > 0
      {
        return .rejoin
      }
      if let url = try only("url", of: payload), tape.kind(url) == .string { return .load }
      if let redirect = try only("redirect", of: payload), tape.kind(redirect) == .string { return .navigation }
      guard let token = try only("static", of: payload) else { return .unknown }
      return .nested(isStatic: tape.kind(token) == .string)
    }

    /// What a reply that says "ok" brings of a page.
    private mutating func reply(_ payload: Int) throws(WireError) -> WireMessage? {
      guard let response = try only("response", of: payload), let status = try only("status", of: payload),
        tape.string(status) == "ok"
      else { return nil }
      for name in ["rendered", "diff"] {
        guard let update = try only(name, of: response) else { continue }
        return try self.update(update, isMount: name == "rendered", beside: response)
      }
      guard let cids = try only("cids", of: response), tape.kind(cids) == .array else { return nil }
      return WireMessage(content: .destroyed(components: tape.elements(cids).compactMap(tape.integer)))
    }

    // MARK: Updates

    /// An update in a response, where a join reply names the server's version beside it.
    private mutating func update(
      _ value: Int, isMount: Bool, beside response: Int
    ) throws(WireError) -> WireMessage {
      var message = try update(value, isMount: isMount)
      if isMount { message.liveViewVersion = try only("liveview_version", of: response).flatMap(tape.string) }
      return message
    }

    /// - Parameter text: the update as it was sent, where it came without a frame.
    private mutating func update(
      _ value: Int, isMount: Bool, as text: JSONText? = nil
    ) throws(WireError) -> WireMessage {
      guard tape.kind(value) == .object else { throw wrong("expected an object", at: value) }
      beside = Beside()
      let root = try fragment(value, templates: nil, place: .top)
      // Taken out, and not copied.
      var beside = Beside()
      swap(&beside, &self.beside)
      let diff = Diff(
        root: root, components: beside.components, title: beside.title, events: beside.events, reply: beside.reply,
        unknownKeys: beside.unknownKeys)
      let (place, json) = (path(to: value), text ?? tape.json(value))
      if isMount { return WireMessage(content: .rendered(diff), place: place, json: json) }
      return WireMessage(content: .diff(diff), place: place, json: json)
    }
  }
}
