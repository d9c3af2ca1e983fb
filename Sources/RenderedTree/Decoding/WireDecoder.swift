internal import CSimdjson
internal import MirrorSupport

/// Decodes the messages of a LiveView. Only the code of this folder decodes them; all other code
/// gets typed values. `DecoderPool` keeps the decoders of a mirror.
///
/// simdjson parses the text. A ``Reader`` walks the resulting ``Tape`` and decodes by the keys that
/// are present, instead of trying one shape after another. It supports three versions of the wire
/// format: LiveView 1.0 (`d`), 1.1 (`k`, templates at any level) and 1.2 (`km`).
///
/// A decoder owns the parser's buffers and reuses them, so only one caller may use it at a time.
package final class WireDecoder {
  /// The expected kind of an input.
  package enum Form: Sendable {
    /// A Rendered, `{"rendered": …}`, or the frame of a join reply.
    case rendered
    /// A diff, `{"diff": …}`, or a `diff` or `phx_reply` frame.
    case diff
    /// One frame, an array of frames, one frame per line, or a recording (`{"steps": [{"frame": …,
    /// "sent": [frame, …]}, …]}`). A line may also be `{"frame": …}`, with `"sent": true` if the
    /// client sent the frame, or `{"rendered": …}` or `{"diff": …}` with or without a `"view"`.
    case frames
  }

  /// The maximum nesting of an input. Phoenix nests about a dozen levels. Later stages may rely on
  /// this limit.
  package static let maximumDepth = 512

  /// The maximum number of values of an input, counted by the commas, `{` and `[` outside of
  /// strings. This bounds the memory: a value of two bytes, such as `0,`, takes 24 bytes when
  /// parsed and up to a hundred when decoded.
  package static let maximumValues = 1 << 20

  /// After this many unreadable lines the input is rejected and the rest is not read. This bounds
  /// the memory for failures, because a line of two bytes makes a failure of a hundred bytes.
  package static let maximumUnreadableLines = 1_000

  /// After an input with more bytes than this, the parser's buffers are released. They take up to
  /// 14 bytes for each byte of the input.
  private static let keptCapacity = 256 << 10

  private var parser: OpaquePointer?
  /// The bytes of the update in the last input of ``update(_:isMount:)``, also if the update could
  /// not be decoded; `nil` if none was found.
  package private(set) var updateRange: Range<Int>?

  package init() {}

  deinit { mirror_json_parser_destroy(parser) }

  /// Decodes an input. The messages keep their order. An unreadable frame becomes a failure at its
  /// position and does not affect the others, up to ``maximumUnreadableLines``.
  ///
  /// The forms `rendered` and `diff` always give one message of that kind.
  ///
  /// - Throws: ``WireError`` if the whole input is unreadable.
  /// - Complexity: O(*bytes*).
  package func decode(
    _ bytes: [UInt8], as form: Form
  ) throws(WireError) -> [Result<WireMessage, WireError>] {
    switch form {
    case .rendered: return [.success(try update(bytes, isMount: true))]
    case .diff: return [.success(try update(bytes, isMount: false))]
    case .frames: return try frames(bytes).messages
    }
  }

  /// The messages of an input of frames, in order.
  package struct Frames: Sendable {
    package var messages: [Result<WireMessage, WireError>]
    /// The number of each message's line in the input, from 1; `nil` if the input is one JSON text.
    package var lines: [Int]?
  }

  /// Decodes an input of the form ``Form/frames``. A byte-order mark at its beginning is skipped.
  ///
  /// - Throws: ``WireError`` if the whole input is unreadable.
  /// - Complexity: O(*bytes*).
  package func frames(_ bytes: [UInt8]) throws(WireError) -> Frames {
    defer { releaseBuffers(after: bytes.count) }
    let start = bytes.starts(with: TextEncoding.mark) ? TextEncoding.mark.count : 0
    do throws(WireError) {
      return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in try frames(bytes, from: start) }
    } catch {
      guard case .notJSON = error, let advice = OtherFile.advice(forArchive: bytes) ?? OtherFile.advice(forText: bytes)
      else { throw error }
      throw .notJSON(offset: 0, reason: advice)
    }
  }

  /// Decodes an input that is one Rendered, or one diff.
  ///
  /// - Throws: ``WireError``
  /// - Complexity: O(*bytes*).
  package func update(_ bytes: [UInt8], isMount: Bool) throws(WireError) -> WireMessage {
    defer { releaseBuffers(after: bytes.count) }
    return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      updateRange = nil
      var reader = Reader(tape: try parse(bytes), of: bytes)
      defer { updateRange = reader.updateRange }
      return try reader.single(isMount: isMount)
    }
  }

  // MARK: - Text

  /// - Parameter first: the number of bytes before the text.
  private func frames(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int) throws(WireError) -> Frames {
    let whole: WireError
    do throws(WireError) {
      let text = UnsafeBufferPointer(rebasing: bytes[first...])
      var reader = Reader(tape: try parse(text), of: text)
      return Frames(messages: try reader.frames())
    } catch {
      // The input is not a single JSON text, or it has an unexpected shape. In the first case, each
      // line may be a JSON text.
      whole = error.shifted(by: first)
    }
    guard case .notJSON = whole else { throw whole }
    var (results, lines): ([Result<WireMessage, WireError>], [Int]) = ([], [])
    var firstFault: WireError?
    var unreadable = 0
    var (start, number) = (first, 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { start = end + 1 }
      number += 1
      let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
      guard line.contains(where: { !JSONSyntax.isSpace($0) }) else { continue }
      do throws(WireError) {
        var reader = Reader(tape: try parse(line), of: line)
        results.append(contentsOf: try reader.frames())
      } catch {
        let fault = error.shifted(by: start)
        results.append(.failure(fault))
        firstFault = firstFault ?? fault
        unreadable += 1
        if unreadable == Self.maximumUnreadableLines, let firstFault {
          throw firstFault.adding("; \(unreadable) lines are invalid; the remaining lines were not checked")
        }
      }
      lines.append(contentsOf: repeatElement(number, count: results.count - lines.count))
    }
    let readable = results.contains {
      if case .failure(.notJSON) = $0 { false } else { true }
    }
    if !readable { throw whole }
    return Frames(messages: results, lines: lines)
  }

  func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, maximumValues: Int = WireDecoder.maximumValues
  ) throws(WireError) -> Tape {
    if parser == nil { parser = mirror_json_parser_create(Self.maximumDepth) }
    if bytes.count > maximumValues, let place = Self.placeOfExcessiveValue(in: bytes) {
      throw .wrongShape(
        at: SlotPath(),
        reason:
          "the JSON must have at most \(Self.maximumValues) values: the first surplus value is at byte \(place)"
      )
    }
    guard let parser else { throw .notJSON(offset: 0, reason: "not enough memory to parse the JSON text") }
    var tape = mirror_json_tape()
    let code = mirror_json_parse(parser, bytes.baseAddress, bytes.count, &tape)
    guard code == 0, let words = tape.words, let strings = tape.strings else {
      // simdjson reports only that there is an error. A second, slower pass finds its position and
      // reason.
      if let fault = JSONFault.first(in: bytes, maximumDepth: Self.maximumDepth) {
        if fault.isBeyondLimits { throw .wrongShape(at: SlotPath(), reason: fault.reason) }
        throw .notJSON(offset: fault.offset, reason: fault.reason)
      }
      throw .notJSON(offset: 0, reason: String(cString: mirror_json_error_message(code)))
    }
    return Tape(words: words, strings: strings)
  }

  /// The byte offset of the first value above ``maximumValues``.
  ///
  /// - Complexity: O(*bytes*), without allocations.
  private static func placeOfExcessiveValue(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var (scanner, values) = (JSONScanner(bytes), 0)
    while let token = scanner.token() {
      switch bytes[token.lowerBound] {
      case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["):
        values += 1
        if values > maximumValues { return token.lowerBound }
      default: break
      }
    }
    return nil
  }

  private func releaseBuffers(after size: Int) {
    guard size > Self.keptCapacity else { return }
    mirror_json_parser_destroy(parser)
    parser = nil
  }
}

/// Why an input is unreadable.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not a JSON text (RFC 8259) of valid UTF-8. `offset` is in bytes.
  case notJSON(offset: Int, reason: String)
  /// Valid JSON, but not a Rendered, diff or frame, or beyond a limit.
  case wrongShape(at: SlotPath, reason: String)

  package var description: String {
    switch self {
    case .notJSON(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .wrongShape(let path, let reason): "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)"
    }
  }
}

extension WireError {
  /// Makes the offset of an error in a line relative to the whole input.
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
