internal import CSimdjson

/// Reads what a LiveView sends. All JSON decoding stands in this folder, behind ``decode(_:as:)``: nothing past it sees
/// an untyped value.
///
/// The text is parsed by simdjson; a ``Reader`` walks simdjson's ``Tape`` and decodes by the keys that are there, never
/// by trying one shape after another. It knows three generations of the wire: LiveView 1.0 (`d`), 1.1 (`k`, templates
/// at any level) and 1.2 (`km`).
///
/// One decoder serves one caller at a time: it owns the parser's buffers and uses them again.
package final class WireDecoder {
  /// What an input is meant to be.
  package enum Form: Sendable {
    /// A Rendered, `{"rendered": …}`, or a join reply's frame.
    case rendered
    /// A diff, `{"diff": …}`, or a `diff` or `phx_reply` frame.
    case diff
    /// Frames: one, an array of them, one a line, or a recording (`{"steps": [{"frame": …, "sent": [frame, …]}, …]}`). A
    /// line may also be `{"frame": …}` with `"sent": true` where the client sent it, or `{"rendered": …}` or `{"diff": …}`
    /// with or without a `"view"`.
    case frames
  }

  /// How deep an input may nest. Phoenix nests some dozen levels; every later stage may rely on this bound.
  package static let maximumDepth = 512

  /// How many values an input may have, counted by its commas, colons of objects not among them, and by what opens objects
  /// and arrays. A value of two bytes, such as `0,`, takes 24 bytes to parse and up to a hundred decoded.
  package static let maximumValues = 1 << 20

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
    switch form {
    case .rendered: return [.success(try update(bytes, isMount: true))]
    case .diff: return [.success(try update(bytes, isMount: false))]
    case .frames:
      defer { giveBackBuffers(after: bytes.count) }
      return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in try frames(bytes) }
    }
  }

  /// The one message of an input that is a Rendered, or else a diff.
  ///
  /// - Throws: ``WireError``
  /// - Complexity: O(*bytes*).
  package func update(_ bytes: [UInt8], isMount: Bool) throws(WireError) -> WireMessage {
    defer { giveBackBuffers(after: bytes.count) }
    return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      var reader = Reader(tape: try parse(bytes))
      return try reader.single(isMount: isMount, of: bytes)
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

  func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireError) -> Tape {
    if parser == nil { parser = mirror_json_parser_create(Self.maximumDepth) }
    if bytes.count > Self.maximumValues, let place = Self.placeOfExcessiveValue(in: bytes) {
      throw .wrongShape(
        at: SlotPath(),
        reason:
          "the JSON has more than \(Self.maximumValues) values: the first too many is at byte \(place); send less at once"
      )
    }
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

  /// Where the input has its first value too many.
  ///
  /// - Complexity: O(*bytes*), without memory.
  private static func placeOfExcessiveValue(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var values = 0
    var isInString = false
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["):
        if isInString { break }
        values += 1
        if values > maximumValues { return place }
      default: break
      }
      place += 1
    }
    return nil
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
