/// Walks over JSON without decoding it. All code that needs the bytes of values finds them with a
/// scanner, except that `WireDecoder` takes most values from the result of simdjson.
///
/// ```swift
/// // The members of {"a":[1,2],"b":"x"}
/// var scanner = JSONScanner(bytes)
/// scanner.take(UInt8(ascii: "{"))
/// while let name = scanner.name() { print(bytes[name], bytes[scanner.value()]) }
/// ```
///
/// The text is expected to be valid JSON. For another text the result is unspecified, but every
/// position is inside of the text. ``value()`` moves by at least one byte unless the text has
/// ended, so loops over values end. Nesting is not recursive, so no depth can overflow the stack.
package struct JSONScanner {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The place of the next byte that is read.
  package private(set) var position: Int

  package init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
    (self.bytes, self.position) = (bytes, position)
  }

  // MARK: - Tokens

  /// The next byte that is not white space, to which the scanner moves; `nil` at the end.
  package var next: UInt8? {
    mutating get {
      while position < bytes.count, JSONSyntax.isSpace(bytes[position]) { position += 1 }
      return position < bytes.count ? bytes[position] : nil
    }
  }

  /// Moves after `byte`, if it is the next byte that is not white space; returns whether it is.
  @discardableResult
  package mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Moves after the next token: a string with its quotes, a bracket, a comma, a colon, or a number
  /// or word.
  ///
  /// - Returns: its bytes; `nil` at the end.
  package mutating func token() -> Range<Int>? {
    guard let byte = next else { return nil }
    let start = position
    position =
      byte == UInt8(ascii: "\"")
      ? end(ofStringAt: start) : Self.endsWord(byte) ? start + 1 : end(ofWordAt: start)
    return start..<position
  }

  // MARK: - Values

  /// Moves after the next value.
  ///
  /// - Returns: its bytes.
  /// - Complexity: O(*bytes of the value*).
  @discardableResult
  package mutating func value() -> Range<Int> {
    _ = next
    // Nearly all bytes of a text are read here, so the position is kept in a local variable.
    let start = position
    var (depth, place) = (0, start)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): place = end(ofStringAt: place)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: place += 1
      default: place = end(ofWordAt: place)
      }
      if depth <= 0 { break }
    }
    position = place
    return start..<place
  }

  /// Moves to the value of the next member of an object; after the object if it has no further
  /// member.
  ///
  /// - Returns: the name between its quotes, as it is written; `nil` if there is no further member.
  package mutating func name() -> Range<Int>? {
    take(UInt8(ascii: ","))
    guard next == UInt8(ascii: "\"") else {
      take(UInt8(ascii: "}"))
      return nil
    }
    let start = position + 1
    position = end(ofStringAt: position)
    let name = start..<max(start, position - 1)
    return take(UInt8(ascii: ":")) ? name : nil
  }

  /// Moves to the next element of an array; after the array if it has no further element.
  ///
  /// - Returns: whether there is an element.
  package mutating func hasElement() -> Bool {
    take(UInt8(ascii: ","))
    return next != nil && !take(UInt8(ascii: "]"))
  }

  // MARK: - Ends

  /// The place after a string.
  private func end(ofStringAt start: Int) -> Int {
    var place = start + 1
    while place < bytes.count {
      place += JSONSyntax.plainCount(UnsafeBufferPointer(rebasing: bytes[place...]))
      guard place < bytes.count else { break }
      if bytes[place] == UInt8(ascii: "\"") { return place + 1 }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  private func end(ofWordAt start: Int) -> Int {
    var place = start + 1
    while place < bytes.count, !Self.endsWord(bytes[place]) { place += 1 }
    return place
  }

  /// Whether a byte cannot be a part of a number or word.
  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"), UInt8(ascii: "\""):
      true
    default: JSONSyntax.isSpace(byte)
    }
  }
}
