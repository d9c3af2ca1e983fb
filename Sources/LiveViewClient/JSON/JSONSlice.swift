internal import MirrorSupport

/// A JSON value inside of a larger text. The rest of the text is skipped, not decoded.
///
/// A diff may have megabytes. ``ChannelMessage`` needs only the five fields of a frame, and the
/// code that handles a message needs a few members of its payload. A slice finds these and skips
/// all other values.
///
/// A slice does not check that the text is valid JSON. For an invalid text the values are
/// unspecified, but no access is out of bounds. The view's `LiveViewCoordinator` decodes each diff
/// completely and reports its errors.
///
/// A slice shares the bytes of the whole text and keeps them in memory.
package struct JSONSlice: Sendable {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// A slice of a whole text.
  ///
  /// - Parameter bytes: one JSON value. ``isNull``, ``string`` and ``integer`` expect no white
  ///   space around it.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = 0..<bytes.count
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  /// The value as JSON.
  package var text: String { String(decoding: bytes[range], as: UTF8.self) }

  /// Whether the value is `null`.
  package var isNull: Bool { bytes[range].elementsEqual("null".utf8) }

  /// The characters of a string; `nil` for other values.
  package var string: String? {
    guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return JSONSyntax.unescaped(bytes[range.lowerBound + 1..<range.upperBound - 1])
  }

  /// A number without a fraction; `nil` for other values.
  package var integer: Int? { Int(text) }

  // MARK: - Elements and members

  /// The elements of an array; `nil` for other values.
  ///
  /// - Complexity: O(*bytes*).
  package var elements: [JSONSlice]? {
    values(from: UInt8(ascii: "["), to: UInt8(ascii: "]"))?.map { JSONSlice(bytes, $0) }
  }

  /// The value of a member; `nil` if the value is not an object or has no such member.
  ///
  /// - Complexity: O(*bytes*).
  package subscript(name: String) -> JSONSlice? {
    guard let values = values(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) else { return nil }
    for index in stride(from: 0, to: values.count - 1, by: 2) where JSONSlice(bytes, values[index]).string == name {
      return JSONSlice(bytes, values[index + 1])
    }
    return nil
  }

  /// The values between two brackets. The names and values of an object alternate.
  ///
  /// - Returns: `nil` if the value does not begin and end with these brackets.
  private func values(from open: UInt8, to close: UInt8) -> [Range<Int>]? {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(UnsafeBufferPointer(rebasing: bytes[..<range.upperBound]), from: range.lowerBound)
      guard scanner.take(open) else { return nil }
      var values: [Range<Int>] = []
      while let next = scanner.next, next != close {
        let value = scanner.value()
        if next != UInt8(ascii: ","), next != UInt8(ascii: ":") { values.append(value) }
      }
      return scanner.take(close) ? values : nil
    }
  }
}
