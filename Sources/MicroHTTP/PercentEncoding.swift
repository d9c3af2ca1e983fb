/// Percent-decoding (RFC 3986 §2.1), done once for each part of a target and never again.
///
/// The parts are cut out first and decoded afterwards, so that `%2F` is a slash *inside* a segment and `%252e` stays the
/// text `%2e`.
enum PercentEncoding {
  /// Why a text cannot be decoded.
  enum Failure: Error, CustomStringConvertible {
    /// A `%` without two hexadecimal digits after it.
    case malformedEscape(String)
    case invalidUTF8(String)
    /// A NUL would end the text for everything below Swift.
    case nul(String)

    var description: String {
      switch self {
      case .malformedEscape(let text): "\u{201C}\(text)\u{201D} has a % that two hexadecimal digits do not follow"
      case .invalidUTF8(let text): "\u{201C}\(text)\u{201D} does not decode to UTF-8"
      case .nul(let text): "\u{201C}\(text)\u{201D} has a NUL in it"
      }
    }
  }

  /// The decoded text; with `plusIsSpace`, as forms and query strings have it, `+` is a space. O(*n*).
  static func decode(_ text: Substring, plusIsSpace: Bool = false) throws(Failure) -> String {
    let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) || $0 == 0 }
    if isPlain { return String(text) }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else {
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
