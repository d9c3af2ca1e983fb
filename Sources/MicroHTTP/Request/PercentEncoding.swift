internal import MirrorSupport

/// Percent-decoding (RFC 3986 §2.1). Each part of a target is decoded exactly once.
/// ``RequestTarget`` and ``TokenCheck`` decode with it.
///
/// The target is split before its parts are decoded. So `%2F` is a slash *inside* a segment, and
/// `%252e` remains the text `%2e`.
enum PercentEncoding {
  /// Why a text cannot be decoded. The cases contain the text.
  enum Failure: Error, CustomStringConvertible {
    /// A `%` is not followed by two hexadecimal digits.
    case malformedEscape(String)
    case invalidUTF8(String)
    /// The result contains a NUL, which would end the text in C functions.
    case nul(String)

    var description: String {
      switch self {
      case .malformedEscape(let text): "\u{201C}\(text)\u{201D} has a % that is not followed by two hexadecimal digits"
      case .invalidUTF8(let text): "\u{201C}\(text)\u{201D} does not decode to UTF-8"
      case .nul(let text): "\u{201C}\(text)\u{201D} contains a NUL character"
      }
    }
  }

  /// Decodes a text.
  ///
  /// - Parameter plusIsSpace: whether a `+` is a space, as in forms and query strings.
  /// - Complexity: O(*text*).
  static func decode(_ text: Substring, plusIsSpace: Bool = false) throws(Failure) -> String {
    let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) || $0 == 0 }
    if isPlain { return String(text) }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexadecimalDigit, let low = rest.next()?.hexadecimalDigit else {
          throw .malformedEscape(String(text))
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { throw .nul(String(text)) }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8(String(text)) }
    return decoded
  }
}
