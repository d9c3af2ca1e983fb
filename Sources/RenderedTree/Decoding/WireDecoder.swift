internal import CSimdjson

/// Reads what a LiveView sends. All JSON decoding stands in this file, behind ``decode(_:as:)``: nothing past it sees
/// an untyped value.
///
/// The text is parsed by simdjson; the reader below walks simdjson's tape and decodes by the keys that are there, never
/// by trying one shape after another. It knows three generations of the wire: LiveView 1.0 (`d`), 1.1 (`k`, templates
/// at any level) and 1.2 (`km`).
///
/// One decoder serves one caller at a time: it owns the parser's buffers and uses them again.
///
/// (The file is long because it is the whole of the boundary: text, tape, and the tape's way into types.)
package final class WireDecoder {
  /// What an input is meant to be.
  package enum Form: Sendable {
    /// A Rendered, `{"rendered": …}`, or a join reply's frame.
    case rendered
    /// A diff, `{"diff": …}`, or a `diff` or `phx_reply` frame.
    case diff
    /// Frames: one, an array of them, one a line, or a recording (`{"steps": [{"frame": …}, …]}`). A line may also be
    /// `{"frame": …}`, or `{"rendered": …}` or `{"diff": …}` with or without a `"view"`.
    case frames
  }

  /// How deep an input may nest. Phoenix nests some dozen levels; every later stage may rely on this bound.
  package static let maximumDepth = 512

  /// After so many lines that cannot be read, the input is no file of frames, and the rest is left unread: a line of
  /// two bytes would make a failure of a hundred.
  package static let maximumUnreadableLines = 1_000

  /// Buffers that grew beyond an input of this size are given back after it, in bytes.
  private static let keptCapacity = 1 << 20

  private var parser: OpaquePointer?

  package init() {}

  deinit { mirror_json_parser_destroy(parser) }

  /// What `bytes` say, in their order. A frame that cannot be read is a failure in its place and hides no other, up to
  /// ``maximumUnreadableLines``.
  ///
  /// `rendered` and `diff` give exactly one message of that kind.
  ///
  /// - Throws: ``WireError`` where the whole input cannot be read.
  /// - Complexity: O(*bytes*).
  package func decode(
    _ bytes: [UInt8], as form: Form
  ) throws(WireError) -> [Result<WireMessage, WireError>] {
    defer { giveBackBuffers(after: bytes.count) }
    return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      switch form {
      case .rendered, .diff:
        var reader = Reader(tape: try parse(bytes))
        var message = try reader.single(form)
        if message.place.steps.isEmpty { message.json = JSONText(String(decoding: bytes, as: UTF8.self)) }
        return [.success(message)]
      case .frames:
        return try frames(bytes)
      }
    }
  }

  // MARK: - Text

  private func frames(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> [Result<WireMessage, WireError>] {
    let whole: WireError
    do {
      var reader = Reader(tape: try parse(bytes))
      return try reader.frames()
    } catch {
      // Not one JSON text, or not of a known shape: perhaps one a line.
      whole = error
    }
    guard case .notJSON = whole else { throw whole }
    var results: [Result<WireMessage, WireError>] = []
    var firstFault: WireError?
    var unreadable = 0
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { start = end + 1 }
      let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
      guard line.contains(where: { !JSONFault.isSpace($0) }) else { continue }
      do throws(WireError) {
        var reader = Reader(tape: try parse(line))
        results.append(contentsOf: try reader.frames())
      } catch {
        let fault = error.shifted(by: start)
        results.append(.failure(fault))
        firstFault = firstFault ?? fault
        unreadable += 1
        if unreadable == Self.maximumUnreadableLines, let firstFault {
          throw firstFault.adding("; \(unreadable) lines cannot be read, and the rest was not looked at")
        }
      }
    }
    let readable = results.contains {
      if case .failure(.notJSON) = $0 { false } else { true }
    }
    if !readable { throw whole }
    return results
  }

  private func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> Tape {
    if parser == nil { parser = mirror_json_parser_create(Self.maximumDepth) }
    guard let parser else { throw .notJSON(offset: 0, reason: "no memory to read it in") }
    var tape = mirror_json_tape()
    let code = mirror_json_parse(parser, bytes.baseAddress, bytes.count, &tape)
    guard code == 0, let words = tape.words, let strings = tape.strings else {
      // simdjson says that something is wrong; where and what is found by reading again, slowly.
      if let fault = JSONFault.first(in: bytes, maximumDepth: Self.maximumDepth) {
        if fault.isBeyondLimits { throw .wrongShape(at: SlotPath(), reason: fault.reason) }
        throw .notJSON(offset: fault.offset, reason: fault.reason)
      }
      throw .notJSON(offset: 0, reason: String(cString: mirror_json_error_message(code)))
    }
    return Tape(words: words, strings: strings)
  }

  private func giveBackBuffers(after size: Int) {
    guard size > Self.keptCapacity else { return }
    mirror_json_parser_destroy(parser)
    parser = nil
  }
}

extension WireError {
  /// The fault of a line, counted from the start of the whole input.
  fileprivate func shifted(by start: Int) -> WireError {
    guard case .notJSON(let offset, let reason) = self else { return self }
    return .notJSON(offset: start + offset, reason: reason)
  }

  fileprivate func adding(_ words: String) -> WireError {
    switch self {
    case .notJSON(let offset, let reason): .notJSON(offset: offset, reason: reason + words)
    case .wrongShape(let path, let reason): .wrongShape(at: path, reason: reason + words)
    }
  }
}

// MARK: - simdjson's tape

/// A parsed text. A value is named by the place of its first word.
private struct Tape {
  let words: UnsafePointer<UInt64>
  let strings: UnsafePointer<UInt8>

  enum Kind { case object, array, string, integer, other }

  func kind(_ value: Int) -> Kind {
    switch UInt8(words[value] >> 56) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
    default: .other
    }
  }

  /// The place behind a value.
  func end(_ value: Int) -> Int {
    let word = words[value]
    switch UInt8(word >> 56) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return Int(UInt32(truncatingIfNeeded: word))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): return value + 2
    default: return value + 1
    }
  }

  func bytes(_ string: Int) -> UnsafeBufferPointer<UInt8> {
    let start = strings + Int(words[string] & 0x00FF_FFFF_FFFF_FFFF)
    let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return UnsafeBufferPointer(start: start + 4, count: Int(count))
  }

  func string(_ value: Int) -> String? {
    kind(value) == .string ? String(decoding: bytes(value), as: UTF8.self) : nil
  }

  /// An integer of 64 bits with its sign; `nil` for the larger ones that simdjson reads as unsigned.
  func integer(_ value: Int) -> Int? {
    UInt8(words[value] >> 56) == UInt8(ascii: "l") ? Int(truncatingIfNeeded: Int64(bitPattern: words[value + 1])) : nil
  }

  /// A key that is a slot's number, or `nil`: digits alone, no leading zero.
  func index(_ key: Int) -> Int? {
    let digits = bytes(key)
    guard let first = digits.first, digits.count < 10, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var number = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// The value of the first member called `name`, or of the next one behind the value `previous`.
  func member(_ name: String, of object: Int, after previous: Int? = nil) -> Int? {
    guard kind(object) == .object else { return nil }
    let (count, first) = (name.utf8.count, name.utf8.first)
    var key = previous.map(end) ?? object + 1
    let stop = end(object) - 1
    while key < stop {
      let bytes = bytes(key)
      if bytes.count == count, bytes.first == first, bytes.elementsEqual(name.utf8) { return key + 1 }
      key = end(key + 1)
    }
    return nil
  }

  /// The members of an object, or the elements of an array: how many there are, up to 2²⁴ - 1.
  func count(_ container: Int) -> Int { Int(words[container] >> 32 & 0xFF_FFFF) }

  func elements(_ array: Int) -> Elements { Elements(tape: self, value: array + 1, stop: end(array) - 1) }

  struct Elements: Sequence, IteratorProtocol {
    fileprivate let tape: Tape
    fileprivate var value: Int
    fileprivate let stop: Int

    mutating func next() -> Int? {
      guard value < stop else { return nil }
      defer { value = tape.end(value) }
      return value
    }
  }

  /// The way from one value down to another inside of it. Nobody takes note of it on the way: it is for errors.
  ///
  /// - Complexity: O(*values beside the way*).
  func steps(from top: Int, to value: Int) -> [SlotPath.Step] {
    var steps: [SlotPath.Step] = []
    var here = top
    while here < value {
      var child = here + 1
      if kind(here) == .object {
        while end(child + 1) <= value { child = end(child + 1) }
        steps.append(index(child).map { .index($0) } ?? .key(String(decoding: bytes(child), as: UTF8.self)))
        here = child + 1
      } else {
        var position = 0
        while end(child) <= value {
          child = end(child)
          position += 1
        }
        steps.append(.index(position))
        here = child
      }
    }
    return steps
  }

  /// The value as compact JSON.
  func json(_ value: Int) -> JSONText {
    var output: [UInt8] = []
    write(value, to: &output)
    return JSONText(String(decoding: output, as: UTF8.self))
  }

  private func write(_ value: Int, to output: inout [UInt8]) {
    switch UInt8(words[value] >> 56) {
    case UInt8(ascii: "{"):
      output.append(UInt8(ascii: "{"))
      var key = value + 1
      let stop = end(value) - 1
      while key < stop {
        if key > value + 1 { output.append(UInt8(ascii: ",")) }
        JSONText.appendQuoted(bytes(key), to: &output)
        output.append(UInt8(ascii: ":"))
        write(key + 1, to: &output)
        key = end(key + 1)
      }
      output.append(UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      output.append(UInt8(ascii: "["))
      for (position, element) in elements(value).enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        write(element, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case UInt8(ascii: "\""): JSONText.appendQuoted(bytes(value), to: &output)
    case UInt8(ascii: "l"): output.append(contentsOf: String(Int64(bitPattern: words[value + 1])).utf8)
    case UInt8(ascii: "u"): output.append(contentsOf: String(words[value + 1]).utf8)
    case UInt8(ascii: "d"): output.append(contentsOf: String(Double(bitPattern: words[value + 1])).utf8)
    case UInt8(ascii: "t"): output.append(contentsOf: "true".utf8)
    case UInt8(ascii: "f"): output.append(contentsOf: "false".utf8)
    default: output.append(contentsOf: "null".utf8)
    }
  }
}

// MARK: - From the tape to types

/// The names that mean something to a reader of updates; every other key is a number.
private enum Name: UInt16 {
  case s, p, k, d, r, c, e, t, kc, km, stream

  init?(_ key: UnsafeBufferPointer<UInt8>) {
    switch (key.count, key.first) {
    case (1, UInt8(ascii: "s")): self = .s
    case (1, UInt8(ascii: "p")): self = .p
    case (1, UInt8(ascii: "k")): self = .k
    case (1, UInt8(ascii: "d")): self = .d
    case (1, UInt8(ascii: "r")): self = .r
    case (1, UInt8(ascii: "c")): self = .c
    case (1, UInt8(ascii: "e")): self = .e
    case (1, UInt8(ascii: "t")): self = .t
    case (2, UInt8(ascii: "k")) where key[1] == UInt8(ascii: "c"): self = .kc
    case (2, UInt8(ascii: "k")) where key[1] == UInt8(ascii: "m"): self = .km
    case (6, UInt8(ascii: "s")) where key.elementsEqual("stream".utf8): self = .stream
    default: return nil
    }
  }
}

/// The members of an object one after the other; a key that stands twice is an error.
private struct Members {
  enum Key {
    case index(Int)
    case name(Name)
    /// No number, and no name with a meaning: an error, wherever it stands.
    case unknown
  }

  private let object: Int
  private var key: Int
  private let stop: Int
  private var names: UInt16 = 0
  private var largest = -1
  private var indexes: Set<Int>?

  init(of object: Int, on tape: Tape) {
    self.object = object
    key = object + 1
    stop = tape.end(object) - 1
  }

  /// Whether the numbers among the keys came in their order.
  var isAscending: Bool { indexes == nil }

  mutating func next(in reader: borrowing Reader) throws(WireError) -> (key: Key, value: Int)? {
    guard key < stop else { return nil }
    let (tape, here) = (reader.tape, key)
    key = tape.end(here + 1)
    if let index = tape.index(here) {
      // Small Elixir maps come in ascending order, larger ones in any; only those need a set.
      if index > largest, indexes == nil {
        largest = index
      } else {
        if indexes == nil { indexes = Self.indexes(from: object + 1, to: here, on: tape) }
        if indexes?.insert(index).inserted == false {
          throw reader.wrong("the key \(index) stands twice in one object", at: here + 1)
        }
      }
      return (.index(index), here + 1)
    }
    guard let name = Name(tape.bytes(here)) else { return (.unknown, here + 1) }
    guard names & 1 << name.rawValue == 0 else {
      throw reader.wrong("the key \"\(name)\" stands twice in one object", at: here + 1)
    }
    names |= 1 << name.rawValue
    return (.name(name), here + 1)
  }

  private static func indexes(from first: Int, to stop: Int, on tape: Tape) -> Set<Int> {
    var indexes: Set<Int> = []
    var key = first
    while key < stop {
      if let index = tape.index(key) { indexes.insert(index) }
      key = tape.end(key + 1)
    }
    return indexes
  }
}

private struct Reader {
  let tape: Tape
  /// The outermost value that is read, and where in the input it stands.
  private var top = Self.top
  private var place: [SlotPath.Step] = []
  /// What stands beside the tree of the update at hand: `c`, `e`, `t` and the reply.
  private var beside = Diff(root: FragmentDiff(body: .slots([])))

  init(tape: Tape) { self.tape = tape }

  /// The tape's first word is the document's; its value follows.
  static let top = 1

  private func path(to value: Int) -> SlotPath { SlotPath(place + tape.steps(from: top, to: value)) }

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
  mutating func single(_ form: WireDecoder.Form) throws(WireError) -> WireMessage {
    let name = if case .rendered = form { "rendered" } else { "diff" }
    if tape.kind(Self.top) == .array {
      let message = try frame(Self.top)
      switch (form, message.content) {
      case (.rendered, .rendered), (.diff, .diff): return message
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
      return try update(value, isMount: name == "rendered")
    }
    if let value = try only(name, of: Self.top), tape.kind(value) == .object {
      return try update(value, isMount: name == "rendered")
    }
    return try update(Self.top, isMount: name == "rendered")
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
    if let frame = try only("frame", of: value) { return try self.frame(frame) }
    for name in ["rendered", "diff"] {
      guard let update = try only(name, of: value) else { continue }
      var message = try self.update(update, isMount: name == "rendered")
      message.topic = try only("view", of: value).flatMap(tape.string)
      message.dialect = try only("dialect", of: value).flatMap(tape.string)
      return message
    }
    throw wrong("expected a frame, or an object with \"frame\", \"rendered\" or \"diff\"", at: value)
  }

  /// `[join_ref, ref, topic, event, payload]` of Phoenix's channel protocol 2.0.0.
  private mutating func frame(_ value: Int) throws(WireError) -> WireMessage {
    let fields = Array(tape.elements(value))
    guard fields.count == 5, let topic = tape.string(fields[2]), let event = tape.string(fields[3]) else {
      throw wrong("a frame is [join_ref, ref, topic, event, payload], with topic and event as strings", at: value)
    }
    var message = WireMessage(content: .other(event: event))
    if event == "diff" {
      message = try update(fields[4], isMount: false)
    } else if event == "phx_reply" {
      message = try reply(fields[4]) ?? message
    }
    message.topic = topic
    return message
  }

  /// What a reply that says "ok" brings of a page.
  private mutating func reply(_ payload: Int) throws(WireError) -> WireMessage? {
    guard let response = try only("response", of: payload), let status = try only("status", of: payload),
      tape.string(status) == "ok"
    else { return nil }
    for name in ["rendered", "diff"] {
      if let update = try only(name, of: response) { return try self.update(update, isMount: name == "rendered") }
    }
    guard let cids = try only("cids", of: response), tape.kind(cids) == .array else { return nil }
    return WireMessage(content: .destroyed(components: tape.elements(cids).compactMap(tape.integer)))
  }

  // MARK: Updates

  private mutating func update(_ value: Int, isMount: Bool) throws(WireError) -> WireMessage {
    guard tape.kind(value) == .object else { throw wrong("expected an object", at: value) }
    beside = Diff(root: FragmentDiff(body: .slots([])))
    let root = try fragment(value, templates: nil, place: .top)
    var diff = beside
    diff.root = root
    let place = path(to: value)
    return WireMessage(
      content: isMount ? .rendered(diff) : .diff(diff), place: place,
      json: place.steps.isEmpty ? JSONText("") : tape.json(value))
  }

  /// Where a fragment stands decides what some of its keys mean.
  private enum Place {
    /// The update itself: `c`, `e`, `t` and a reply are taken off it.
    case top
    /// The root of a component: an integer `s` is a component's id.
    case component
    case inside
  }

  private mutating func fragment(
    _ object: Int, templates outer: [Int: Statics]?, place: Place
  ) throws(WireError) -> FragmentDiff {
    guard tape.kind(object) == .object else { throw wrong("expected an object", at: object) }
    // The templates first, wherever they stand: everything inside may name them.
    let templates = if let own = tape.member("p", of: object) { try readTemplates(own) } else { outer }
    var statics: FragmentDiff.StaticsSource?
    var isRoot = false
    var slots: [(index: Int, diff: SlotDiff)] = []
    var comprehension: FragmentDiff.Body?
    var stream: StreamOperation?
    var members = Members(of: object, on: tape)
    while let (key, value) = try members.next(in: self) {
      if case .index(let index) = key {
        if slots.isEmpty { slots.reserveCapacity(tape.count(object)) }
        slots.append((index, try slot(value, templates: templates)))
        continue
      }
      guard case .name(let name) = key else { throw unknownKey(of: value) }
      if comprehension != nil, name == .k || name == .d {
        throw wrong("entries are sent by key (\"k\") or by place (\"d\"), and not both at once", at: value)
      }
      switch (name, place) {
      case (.s, _): statics = try self.statics(value, templates: templates, place: place)
      case (.p, _): break
      case (.k, _): comprehension = .keyed(try keyed(value, templates: templates))
      case (.d, _): comprehension = .entries(try entries(value, templates: templates))
      case (.stream, _): stream = try self.stream(value)
      case (.r, .top) where tape.kind(value) != .integer: beside.reply = tape.json(value)
      case (.r, _): isRoot = tape.integer(value) == 1
      case (.c, .top): beside.components = try components(value)
      case (.e, .top):
        guard tape.kind(value) == .array else { throw wrong("events are an array", at: value) }
        beside.events = tape.count(value) == 0 ? nil : tape.json(value)
      case (.t, .top):
        guard let title = tape.string(value) else { throw wrong("a title is a string", at: value) }
        beside.title = title
      default: throw unknownKey(of: value)
      }
    }
    if comprehension != nil, let first = slots.first {
      throw wrong("a comprehension has no slots of its own, and here is \(first.index)", at: object)
    }
    if !members.isAscending { slots.sort { $0.index < $1.index } }
    return FragmentDiff(
      statics: statics, isRoot: isRoot, body: comprehension ?? .slots(slots), stream: stream)
  }

  private func unknownKey(of value: Int) -> WireError {
    wrong("unknown key \"\(tape.string(value - 1) ?? "")\": no LiveView up to 1.2 sends it here", at: value)
  }

  private mutating func slot(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> SlotDiff {
    switch tape.kind(value) {
    case .string: return .text(String(decoding: tape.bytes(value), as: UTF8.self))
    case .object: return .fragment(try fragment(value, templates: templates, place: .inside))
    case .integer:
      guard let cid = tape.integer(value), cid > 0 else {
        throw wrong("a component id is a positive integer", at: value)
      }
      return .component(cid)
    case .array, .other:
      throw wrong("a slot holds a string, a component id or an object (other values come as strings)", at: value)
    }
  }

  private func statics(
    _ value: Int, templates: [Int: Statics]?, place: Place
  ) throws(WireError) -> FragmentDiff.StaticsSource {
    guard let number = tape.integer(value) else { return .here(try strings(value)) }
    if case .component = place {
      guard number != 0 else { throw wrong("0 is no component", at: value) }
      return .component(number)
    }
    guard let template = templates?[number] else {
      throw wrong("template \(number) is not in the \"p\" of this update", at: value)
    }
    return .template(number, template)
  }

  private func strings(_ value: Int) throws(WireError) -> Statics {
    guard tape.kind(value) == .array else {
      throw wrong("statics are an array of strings, or an integer", at: value)
    }
    var parts: [String] = []
    parts.reserveCapacity(tape.count(value))
    for element in tape.elements(value) {
      guard let part = tape.string(element) else { throw wrong("statics are strings", at: element) }
      parts.append(part)
    }
    return Statics(parts)
  }

  private func readTemplates(_ value: Int) throws(WireError) -> [Int: Statics] {
    guard tape.kind(value) == .object else { throw wrong("templates are an object", at: value) }
    var templates: [Int: Statics] = [:]
    var members = Members(of: value, on: tape)
    while let (key, value) = try members.next(in: self) {
      guard case .index(let index) = key else { throw wrong("a template is named by a number", at: value) }
      templates[index] = try strings(value)
    }
    return templates
  }

  private mutating func components(_ value: Int) throws(WireError) -> [(cid: Int, diff: FragmentDiff)] {
    guard tape.kind(value) == .object else { throw wrong("components are an object", at: value) }
    var components: [(cid: Int, diff: FragmentDiff)] = []
    components.reserveCapacity(tape.count(value))
    var members = Members(of: value, on: tape)
    while let (key, value) = try members.next(in: self) {
      guard case .index(let cid) = key, cid > 0 else { throw wrong("a component id is a positive integer", at: value) }
      // A component's tree does not use the update's own templates (LiveView ≥ 1.1).
      components.append((cid, try fragment(value, templates: nil, place: .component)))
    }
    if !members.isAscending { components.sort { $0.cid < $1.cid } }
    return components
  }

  // MARK: Comprehensions

  private mutating func keyed(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> KeyedDiff {
    guard tape.kind(value) == .object else { throw wrong("keyed entries are an object", at: value) }
    var count: Int?
    var entries: [(index: Int, entry: KeyedDiff.Entry)] = []
    entries.reserveCapacity(tape.count(value))
    var members = Members(of: value, on: tape)
    while let (key, value) = try members.next(in: self) {
      switch key {
      case .index(let index): entries.append((index, try keyedEntry(value, templates: templates)))
      case .name(.kc):
        guard let number = tape.integer(value), number >= 0 else {
          throw wrong("the count of entries is an integer, 0 or more", at: value)
        }
        count = number
      case .name(.km): break  // It says that entries moved; the entries themselves say which.
      case .name, .unknown:
        throw wrong("unknown key \"\(tape.string(value - 1) ?? "")\" among keyed entries", at: value)
      }
    }
    guard let count else { throw wrong("keyed entries need \"kc\", their count", at: value) }
    if !members.isAscending { entries.sort { $0.index < $1.index } }
    if let last = entries.last, last.index >= count {
      throw wrong("entry \(last.index) is beyond the count \(count)", at: value, .index(last.index))
    }
    return KeyedDiff(count: count, entries: entries)
  }

  private mutating func keyedEntry(
    _ value: Int, templates: [Int: Statics]?
  ) throws(WireError) -> KeyedDiff.Entry {
    switch tape.kind(value) {
    case .object: return .update(try fragment(value, templates: templates, place: .inside))
    case .integer:
      guard let old = tape.integer(value), old >= 0 else { throw wrong("an entry's old place is 0 or more", at: value) }
      return .moved(from: old)
    case .array:
      var pair = tape.elements(value)
      guard tape.count(value) == 2, let first = pair.next(), let second = pair.next(),
        let old = tape.integer(first), old >= 0
      else { throw wrong("a moved and changed entry is [old place, diff]", at: value) }
      return .movedAndUpdated(from: old, try fragment(second, templates: templates, place: .inside))
    case .string, .other: throw wrong("an entry is an object, an old place, or [old place, diff]", at: value)
    }
  }

  private mutating func entries(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> [[SlotDiff]] {
    guard tape.kind(value) == .array else { throw wrong("the entries of a comprehension are an array", at: value) }
    var entries: [[SlotDiff]] = []
    entries.reserveCapacity(tape.count(value))
    for entry in tape.elements(value) {
      guard tape.kind(entry) == .array else { throw wrong("an entry is an array of its slots", at: entry) }
      var slots: [SlotDiff] = []
      slots.reserveCapacity(tape.count(entry))
      for element in tape.elements(entry) { slots.append(try slot(element, templates: templates)) }
      entries.append(slots)
    }
    return entries
  }

  // MARK: Streams

  /// `[ref, [[id, at, limit, update_only], …], [deleted ids], true where it is a reset]`; 1.0 sends no `update_only`.
  private func stream(_ value: Int) throws(WireError) -> StreamOperation {
    let fields = tape.kind(value) == .array ? Array(tape.elements(value)) : []
    guard fields.count == 3 || fields.count == 4, let ref = tape.string(fields[0]),
      tape.kind(fields[1]) == .array, tape.kind(fields[2]) == .array
    else { throw wrong("a stream is [ref, inserts, deleted ids] and, for a reset, true", at: value) }
    var operation = StreamOperation(ref: ref)
    for insert in tape.elements(fields[1]) {
      let parts = tape.kind(insert) == .array ? Array(tape.elements(insert)) : []
      guard parts.count == 3 || parts.count == 4, let id = tape.string(parts[0]), let at = tape.integer(parts[1]) else {
        throw wrong("a stream's insert is [dom id, at, limit] and, since LiveView 1.1, update_only", at: insert)
      }
      let limit = tape.integer(parts[2])
      guard limit != nil || isNull(parts[2]) else {
        throw wrong("a stream's limit is an integer or null", at: parts[2])
      }
      operation.inserts.append(
        .init(id: id, at: at, limit: limit, updateOnly: parts.count == 4 && isTrue(parts[3])))
    }
    for delete in tape.elements(fields[2]) {
      guard let id = tape.string(delete) else { throw wrong("a stream deletes by dom id, a string", at: delete) }
      operation.deletes.append(id)
    }
    operation.reset = fields.count == 4 && isTrue(fields[3])
    return operation
  }

  private func isNull(_ value: Int) -> Bool { UInt8(tape.words[value] >> 56) == UInt8(ascii: "n") }
  private func isTrue(_ value: Int) -> Bool { UInt8(tape.words[value] >> 56) == UInt8(ascii: "t") }
}
