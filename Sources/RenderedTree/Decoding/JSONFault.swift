internal import MirrorSupport

/// The first syntax error of a text that should be JSON. simdjson reports that there is an error,
/// but not where.
///
/// ``WireDecoder`` uses it only after a failed parse. Open brackets are kept in an array, so that
/// deep nesting cannot overflow the stack.
struct JSONFault: Equatable {
  /// The byte offset of the error.
  var offset: Int
  var reason: String
  /// The text is valid JSON that exceeds a limit: it is nested too deep, or a number is too large.
  var isBeyondLimits = false

  /// - Returns: `nil` if the text is valid JSON within the limits.
  /// - Complexity: O(*bytes*).
  static func first(in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) -> JSONFault? {
    var scanner = Scanner(bytes: bytes, maximumDepth: maximumDepth)
    return scanner.run()
  }

  /// The reason if other content follows a complete JSON text.
  static let contentAfterEnd = "unexpected content after the end of the JSON text"
}

/// Walks a JSON text and stops at its first fault.
private struct Scanner {
  let bytes: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int
  var position = 0
  /// The open brackets, outermost first.
  var open: [UInt8] = []
  /// The first exceeded limit. Reported only if the text has no syntax error.
  var beyondLimits: JSONFault?

  enum Expected { case value, valueOrEnd, keyOrEnd, key, commaOrEnd }

  mutating func run() -> JSONFault? {
    var expected = Expected.value
    while true {
      while position < bytes.count, JSONSyntax.isSpace(bytes[position]) { position += 1 }
      if open.isEmpty, case .commaOrEnd = expected {
        return position < bytes.count ? fault(JSONFault.contentAfterEnd) : beyondLimits
      }
      guard position < bytes.count else {
        return fault(bytes.isEmpty ? "the body is empty" : "unexpected end of the JSON text")
      }
      let byte = bytes[position]
      switch (byte, expected) {
      case (UInt8(ascii: "]"), .valueOrEnd), (UInt8(ascii: "}"), .keyOrEnd): close(&expected)
      case (UInt8(ascii: "]"), .commaOrEnd), (UInt8(ascii: "}"), .commaOrEnd):
        guard open.last == (byte == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "{")) else {
          return fault("this closing bracket does not match the last opening one")
        }
        close(&expected)
      case (UInt8(ascii: ","), .commaOrEnd):
        position += 1
        expected = open.last == UInt8(ascii: "{") ? .key : .value
      case (_, .commaOrEnd): return fault("expected a comma or a closing bracket")
      case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd):
        if let fault = string() { return fault }
        while position < bytes.count, JSONSyntax.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return fault("expected a colon") }
        position += 1
        expected = .value
      case (_, .key), (_, .keyOrEnd): return fault("expected a key in double quotes")
      case (UInt8(ascii: "["), _), (UInt8(ascii: "{"), _):
        open.append(byte)
        if open.count > maximumDepth {
          beyondLimits = beyondLimits ?? beyond(at: position, "nested deeper than \(maximumDepth) levels")
        }
        position += 1
        expected = byte == UInt8(ascii: "[") ? .valueOrEnd : .keyOrEnd
      default:
        if let fault = scalar(byte) { return fault }
        expected = .commaOrEnd
      }
    }
  }

  private mutating func close(_ expected: inout Expected) {
    open.removeLast()
    position += 1
    expected = .commaOrEnd
  }

  private func fault(_ reason: String) -> JSONFault { JSONFault(offset: position, reason: reason) }

  private func beyond(at offset: Int, _ reason: String) -> JSONFault {
    JSONFault(offset: offset, reason: "\(reason), at byte \(offset)", isBeyondLimits: true)
  }

  private mutating func scalar(_ byte: UInt8) -> JSONFault? {
    switch byte {
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    default: return noValue
    }
  }

  private mutating func word(_ word: String) -> JSONFault? {
    guard bytes[position...].starts(with: word.utf8) else { return noValue }
    position += word.utf8.count
    return nil
  }

  private var noValue: JSONFault { fault("expected a value") }

  private mutating func number() -> JSONFault? {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    guard digits() else { return fault("expected a digit in a number") }
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      return JSONFault(offset: first, reason: "a number must not have a leading zero")
    }
    var isInteger = true
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard digits() else { return fault("expected a digit after the decimal point") }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) { position += 1 }
      guard digits() else { return fault("expected a digit in the exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let fits = isInteger ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
    if !fits {
      beyondLimits = beyondLimits ?? beyond(at: start, "a number must fit into 64 bits or be sent as a string")
    }
    return nil
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    return position > start
  }

  private mutating func string() -> JSONFault? {
    let start = position
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return nil
      case UInt8(ascii: "\\"):
        if let fault = escape() { return fault }
      case 0..<0x20: return fault("a control character in a string must be escaped")
      case 0x20..<0x80: position += 1
      default:
        let length = scalarLength()
        guard length > 0 else { return fault("invalid UTF-8 in a string") }
        position += length
      }
    }
    return JSONFault(offset: start, reason: "this string has no closing quote")
  }

  private mutating func escape() -> JSONFault? {
    let start = position
    guard position + 1 < bytes.count else { return fault("the JSON text ends inside an escape sequence") }
    switch bytes[position + 1] {
    case UInt8(ascii: "u"):
      guard let unit = hexUnit(at: position + 2) else {
        return fault("\\u must be followed by four hexadecimal digits")
      }
      position += 6
      switch unit {
      case 0xDC00..<0xE000: return JSONFault(offset: start, reason: "a surrogate must be part of a surrogate pair")
      case 0xD800..<0xDC00:
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u"), let low = hexUnit(at: position + 2), (0xDC00..<0xE000).contains(low)
        else { return JSONFault(offset: start, reason: "a surrogate must be part of a surrogate pair") }
        position += 6
      default: break
      }
      return nil
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
      return nil
    default: return fault("unknown escape sequence")
    }
  }

  private func hexUnit(at start: Int) -> Int? {
    guard start + 4 <= bytes.count else { return nil }
    let text = bytes[start..<start + 4]
    guard text.allSatisfy({ ($0 < 0x80) && Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return Int(String(decoding: text, as: UTF8.self), radix: 16)
  }

  /// The length of the UTF-8 sequence at `position`; 0 if it is not valid (Unicode 16, table 3-7).
  private func scalarLength() -> Int {
    func continues(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      position + offset < bytes.count && range.contains(bytes[position + offset])
    }
    switch bytes[position] {
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
    case 0xED: return continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }
}
