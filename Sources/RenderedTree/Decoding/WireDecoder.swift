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
    var key = previous.map(end) ?? object + 1
    let stop = end(object) - 1
    while key < stop {
      if bytes(key).elementsEqual(name.utf8) { return key + 1 }
      key = end(key + 1)
    }
    return nil
  }

  func elements(_ array: Int) -> [Int] {
    var values: [Int] = []
    var value = array + 1
    let stop = end(array) - 1
    while value < stop {
      values.append(value)
      value = end(value)
    }
    return values
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

private struct Reader {
  let tape: Tape
  /// Where the walk stands, for errors.
  var path: [SlotPath.Step] = []
  /// What stands beside the tree of the update at hand: `c`, `e`, `t` and the reply.
  var beside = Diff(root: FragmentDiff(body: .slots([])))

  init(tape: Tape) { self.tape = tape }

  /// The tape's first word is the document's; its value follows.
  static let top = 1

  func wrong(_ reason: String) -> WireError { .wrongShape(at: SlotPath(path), reason: reason) }

  mutating func within<Value>(
    _ step: SlotPath.Step, _ body: (inout Reader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    path.append(step)
    let value = try body(&self)
    path.removeLast()
    return value
  }

  /// Calls `body` with every member of an object, its place on the path; a key that stands twice is an error.
  mutating func members(
    of object: Int, _ body: (inout Reader, _ index: Int?, _ name: String, _ value: Int) throws(WireError) -> Void
  ) throws(WireError) {
    var largest = -1
    var indexes: Set<Int>?
    var names: Set<String> = []
    var key = object + 1
    let stop = tape.end(object) - 1
    while key < stop {
      let index = tape.index(key)
      let name = index == nil ? String(decoding: tape.bytes(key), as: UTF8.self) : ""
      path.append(index.map { .index($0) } ?? .key(name))
      if let index {
        // Small Elixir maps come in ascending order, larger ones in any; only those need a set.
        if index > largest, indexes == nil {
          largest = index
        } else {
          if indexes == nil { indexes = Set(tapeIndexes(from: object + 1, to: key)) }
          if indexes?.insert(index).inserted == false { throw wrong("the key \(index) stands twice in one object") }
        }
      } else if !names.insert(name).inserted {
        throw wrong("the key \"\(name)\" stands twice in one object")
      }
      try body(&self, index, name, key + 1)
      path.removeLast()
      key = tape.end(key + 1)
    }
  }

  /// The value of the one member called `name`. What wraps an update has members that nobody reads, so ``members(of:_:)``
  /// does not go over it; yet of two values for one key, none can be taken for the one that was meant.
  private func only(_ name: String, of object: Int) throws(WireError) -> Int? {
    guard let value = tape.member(name, of: object) else { return nil }
    guard tape.member(name, of: object, after: value) == nil else {
      throw .wrongShape(at: SlotPath(path + [.key(name)]), reason: "the key \"\(name)\" stands twice in one object")
    }
    return value
  }

  private func tapeIndexes(from first: Int, to stop: Int) -> [Int] {
    var indexes: [Int] = []
    var key = first
    while key < stop {
      if let index = tape.index(key) { indexes.append(index) }
      key = tape.end(key + 1)
    }
    return indexes
  }

  // MARK: Messages

  /// The one message of an input that is meant to be a Rendered or a diff.
  mutating func single(_ form: WireDecoder.Form) throws(WireError) -> WireMessage {
    let name = if case .rendered = form { "rendered" } else { "diff" }
    if tape.kind(Self.top) == .array {
      let message = try frame(Self.top)
      switch (form, message.content) {
      case (.rendered, .rendered), (.diff, .diff): return message
      default: throw wrong("this frame carries no \(name); POST /frames takes frames of every kind")
      }
    }
    guard tape.kind(Self.top) == .object else {
      throw wrong("expected a \(name) as a JSON object, or a channel frame as an array")
    }
    if let response = try only("response", of: Self.top) {
      return try within(.key("response")) { reader throws(WireError) in
        guard let value = try reader.only(name, of: response) else {
          throw reader.wrong("expected \"\(name)\" in the response")
        }
        return try reader.wrapped(name, value)
      }
    }
    if let value = try only(name, of: Self.top), tape.kind(value) == .object { return try wrapped(name, value) }
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
      let first = tape.elements(Self.top).first
      if first == nil { return [] }
      if let first, tape.kind(first) == .array || tape.kind(first) == .object { return each(of: Self.top, under: []) }
    }
    return [.success(try line(Self.top))]
  }

  private mutating func each(of array: Int, under steps: [SlotPath.Step]) -> [Result<WireMessage, WireError>] {
    tape.elements(array).enumerated().map { position, value in
      path = steps + [.index(position)]
      defer { path = [] }
      do throws(WireError) { return .success(try line(value)) } catch { return .failure(error) }
    }
  }

  /// A frame, or an object that holds a frame, a Rendered or a diff.
  private mutating func line(_ value: Int) throws(WireError) -> WireMessage {
    if tape.kind(value) == .array { return try frame(value) }
    guard tape.kind(value) == .object else { throw wrong("expected a frame, which is an array of five") }
    if let frame = try only("frame", of: value) {
      return try within(.key("frame")) { reader throws(WireError) in try reader.frame(frame) }
    }
    for name in ["rendered", "diff"] {
      guard let update = try only(name, of: value) else { continue }
      var message = try wrapped(name, update)
      message.topic = try only("view", of: value).flatMap(tape.string)
      message.dialect = try only("dialect", of: value).flatMap(tape.string)
      return message
    }
    throw wrong("expected a frame, or an object with \"frame\", \"rendered\" or \"diff\"")
  }

  /// `[join_ref, ref, topic, event, payload]` of Phoenix's channel protocol 2.0.0.
  private mutating func frame(_ value: Int) throws(WireError) -> WireMessage {
    let fields = tape.elements(value)
    guard fields.count == 5, let topic = tape.string(fields[2]), let event = tape.string(fields[3]) else {
      throw wrong("a frame is [join_ref, ref, topic, event, payload], with topic and event as strings")
    }
    var message = WireMessage(content: .other(event: event))
    if event == "diff" {
      message = try within(.index(4)) { reader throws(WireError) in try reader.update(fields[4], isMount: false) }
    } else if event == "phx_reply" {
      message = try within(.index(4)) { reader throws(WireError) in try reader.reply(fields[4]) } ?? message
    }
    message.topic = topic
    return message
  }

  /// What a reply that says "ok" brings of a page.
  private mutating func reply(_ payload: Int) throws(WireError) -> WireMessage? {
    guard let response = try only("response", of: payload), let status = try only("status", of: payload),
      tape.string(status) == "ok"
    else { return nil }
    return try within(.key("response")) { reader throws(WireError) in
      for name in ["rendered", "diff"] {
        if let update = try reader.only(name, of: response) { return try reader.wrapped(name, update) }
      }
      guard let cids = try reader.only("cids", of: response), reader.tape.kind(cids) == .array else { return nil }
      let components = reader.tape.elements(cids).compactMap(reader.tape.integer)
      return WireMessage(content: .destroyed(components: components))
    }
  }

  private mutating func wrapped(_ name: String, _ value: Int) throws(WireError) -> WireMessage {
    try within(.key(name)) { reader throws(WireError) in
      try reader.update(value, isMount: name == "rendered")
    }
  }

  // MARK: Updates

  private mutating func update(_ value: Int, isMount: Bool) throws(WireError) -> WireMessage {
    guard tape.kind(value) == .object else { throw wrong("expected an object") }
    beside = Diff(root: FragmentDiff(body: .slots([])))
    let root = try fragment(value, templates: nil, place: .top)
    var diff = beside
    diff.root = root
    let place = SlotPath(path)
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
    _ value: Int, templates outer: [Int: Statics]?, place: Place
  ) throws(WireError) -> FragmentDiff {
    guard tape.kind(value) == .object else { throw wrong("expected an object") }
    // The templates first, wherever they stand: everything inside may name them.
    let templates = if let own = tape.member("p", of: value) { try readTemplates(own) } else { outer }
    var statics: FragmentDiff.StaticsSource?
    var isRoot = false
    var slots: [(index: Int, diff: SlotDiff)] = []
    var comprehension: FragmentDiff.Body?
    var stream: StreamOperation?
    try members(of: value) { reader, index, name, value throws(WireError) in
      if let index {
        slots.append((index, try reader.slot(value, templates: templates)))
        return
      }
      if comprehension != nil, name == "k" || name == "d" {
        throw reader.wrong("entries are sent by key (\"k\") or by place (\"d\"), and not both at once")
      }
      switch (name, place) {
      case ("s", _): statics = try reader.statics(value, templates: templates, place: place)
      case ("p", _): break
      case ("k", _): comprehension = .keyed(try reader.keyed(value, templates: templates))
      case ("d", _): comprehension = .entries(try reader.entries(value, templates: templates))
      case ("stream", _): stream = try reader.stream(value)
      case ("r", .top) where reader.tape.kind(value) != .integer: reader.beside.reply = reader.tape.json(value)
      case ("r", _): isRoot = reader.tape.integer(value) == 1
      case ("c", .top): reader.beside.components = try reader.components(value)
      case ("e", .top):
        guard reader.tape.kind(value) == .array else { throw reader.wrong("events are an array") }
        reader.beside.events = reader.tape.elements(value).isEmpty ? nil : reader.tape.json(value)
      case ("t", .top):
        guard let title = reader.tape.string(value) else { throw reader.wrong("a title is a string") }
        reader.beside.title = title
      default: throw reader.wrong("unknown key \"\(name)\": no LiveView up to 1.2 sends it here")
      }
    }
    if comprehension != nil, let first = slots.first {
      throw wrong("a comprehension has no slots of its own, and here is \(first.index)")
    }
    slots.sort { $0.index < $1.index }
    return FragmentDiff(
      statics: statics, isRoot: isRoot, body: comprehension ?? .slots(slots), stream: stream)
  }

  private mutating func slot(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> SlotDiff {
    switch tape.kind(value) {
    case .string: return .text(String(decoding: tape.bytes(value), as: UTF8.self))
    case .object: return .fragment(try fragment(value, templates: templates, place: .inside))
    case .integer:
      guard let cid = tape.integer(value), cid > 0 else { throw wrong("a component id is a positive integer") }
      return .component(cid)
    case .array, .other:
      throw wrong("a slot holds a string, a component id or an object (other values come as strings)")
    }
  }

  private mutating func statics(
    _ value: Int, templates: [Int: Statics]?, place: Place
  ) throws(WireError) -> FragmentDiff.StaticsSource {
    guard let number = tape.integer(value) else { return .here(try strings(value)) }
    if case .component = place {
      guard number != 0 else { throw wrong("0 is no component") }
      return .component(number)
    }
    guard let template = templates?[number] else {
      throw wrong("template \(number) is not in the \"p\" of this update")
    }
    return .template(number, template)
  }

  private mutating func strings(_ value: Int) throws(WireError) -> Statics {
    guard tape.kind(value) == .array else { throw wrong("statics are an array of strings, or an integer") }
    var parts: [String] = []
    for (position, element) in tape.elements(value).enumerated() {
      guard let part = tape.string(element) else {
        path.append(.index(position))
        throw wrong("statics are strings")
      }
      parts.append(part)
    }
    return Statics(parts)
  }

  private mutating func readTemplates(_ value: Int) throws(WireError) -> [Int: Statics] {
    var templates: [Int: Statics] = [:]
    try within(.key("p")) { reader throws(WireError) in
      guard reader.tape.kind(value) == .object else { throw reader.wrong("templates are an object") }
      try reader.members(of: value) { reader, index, name, value throws(WireError) in
        guard let index else { throw reader.wrong("a template is named by a number") }
        templates[index] = try reader.strings(value)
      }
    }
    return templates
  }

  private mutating func components(_ value: Int) throws(WireError) -> [(cid: Int, diff: FragmentDiff)] {
    guard tape.kind(value) == .object else { throw wrong("components are an object") }
    var components: [(cid: Int, diff: FragmentDiff)] = []
    try members(of: value) { reader, index, _, value throws(WireError) in
      guard let cid = index, cid > 0 else { throw reader.wrong("a component id is a positive integer") }
      // A component's tree does not use the update's own templates (LiveView ≥ 1.1).
      components.append((cid, try reader.fragment(value, templates: nil, place: .component)))
    }
    return components.sorted { $0.cid < $1.cid }
  }

  // MARK: Comprehensions

  private mutating func keyed(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> KeyedDiff {
    guard tape.kind(value) == .object else { throw wrong("keyed entries are an object") }
    var count: Int?
    var entries: [(index: Int, entry: KeyedDiff.Entry)] = []
    try members(of: value) { reader, index, name, value throws(WireError) in
      if let index {
        entries.append((index, try reader.keyedEntry(value, templates: templates)))
      } else if name == "kc" {
        guard let number = reader.tape.integer(value), number >= 0 else {
          throw reader.wrong("the count of entries is an integer, 0 or more")
        }
        count = number
      } else if name != "km" {  // `km` says that entries moved; the entries themselves say which.
        throw reader.wrong("unknown key \"\(name)\" among keyed entries")
      }
    }
    guard let count else { throw wrong("keyed entries need \"kc\", their count") }
    entries.sort { $0.index < $1.index }
    if let last = entries.last, last.index >= count {
      path.append(.index(last.index))
      throw wrong("entry \(last.index) is beyond the count \(count)")
    }
    return KeyedDiff(count: count, entries: entries)
  }

  private mutating func keyedEntry(
    _ value: Int, templates: [Int: Statics]?
  ) throws(WireError) -> KeyedDiff.Entry {
    switch tape.kind(value) {
    case .object: return .update(try fragment(value, templates: templates, place: .inside))
    case .integer:
      guard let old = tape.integer(value), old >= 0 else { throw wrong("an entry's old place is 0 or more") }
      return .moved(from: old)
    case .array:
      let pair = tape.elements(value)
      guard pair.count == 2, let old = tape.integer(pair[0]), old >= 0 else {
        throw wrong("a moved and changed entry is [old place, diff]")
      }
      return .movedAndUpdated(
        from: old,
        try within(.index(1)) { reader throws(WireError) in
          try reader.fragment(pair[1], templates: templates, place: .inside)
        })
    case .string, .other: throw wrong("an entry is an object, an old place, or [old place, diff]")
    }
  }

  private mutating func entries(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> [[SlotDiff]] {
    guard tape.kind(value) == .array else { throw wrong("the entries of a comprehension are an array") }
    var entries: [[SlotDiff]] = []
    for (row, entry) in tape.elements(value).enumerated() {
      path.append(.index(row))
      guard tape.kind(entry) == .array else { throw wrong("an entry is an array of its slots") }
      var slots: [SlotDiff] = []
      for (column, element) in tape.elements(entry).enumerated() {
        path.append(.index(column))
        slots.append(try slot(element, templates: templates))
        path.removeLast()
      }
      entries.append(slots)
      path.removeLast()
    }
    return entries
  }

  // MARK: Streams

  /// `[ref, [[id, at, limit, update_only], …], [deleted ids], true where it is a reset]`; 1.0 sends no `update_only`.
  private mutating func stream(_ value: Int) throws(WireError) -> StreamOperation {
    let fields = tape.kind(value) == .array ? tape.elements(value) : []
    guard fields.count == 3 || fields.count == 4, let ref = tape.string(fields[0]),
      tape.kind(fields[1]) == .array, tape.kind(fields[2]) == .array
    else { throw wrong("a stream is [ref, inserts, deleted ids] and, for a reset, true") }
    var operation = StreamOperation(ref: ref)
    for (position, insert) in tape.elements(fields[1]).enumerated() {
      let parts = tape.kind(insert) == .array ? tape.elements(insert) : []
      guard parts.count == 3 || parts.count == 4, let id = tape.string(parts[0]), let at = tape.integer(parts[1]) else {
        path += [.index(1), .index(position)]
        throw wrong("a stream's insert is [dom id, at, limit] and, since LiveView 1.1, update_only")
      }
      let limit = tape.integer(parts[2])
      guard limit != nil || isNull(parts[2]) else {
        path += [.index(1), .index(position), .index(2)]
        throw wrong("a stream's limit is an integer or null")
      }
      operation.inserts.append(
        .init(id: id, at: at, limit: limit, updateOnly: parts.count == 4 && isTrue(parts[3])))
    }
    for (position, delete) in tape.elements(fields[2]).enumerated() {
      guard let id = tape.string(delete) else {
        path += [.index(2), .index(position)]
        throw wrong("a stream deletes by dom id, a string")
      }
      operation.deletes.append(id)
    }
    operation.reset = fields.count == 4 && isTrue(fields[3])
    return operation
  }

  private func isNull(_ value: Int) -> Bool { UInt8(tape.words[value] >> 56) == UInt8(ascii: "n") }
  private func isTrue(_ value: Int) -> Bool { UInt8(tape.words[value] >> 56) == UInt8(ascii: "t") }
}
