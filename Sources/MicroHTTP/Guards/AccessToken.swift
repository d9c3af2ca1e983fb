internal import MirrorSupport

/// A secret that gives access to a server.
///
///     let token = try AccessToken("correct-horse-battery-staple")
///
/// It has 8 to 512 characters that need no escaping in a header, a cookie or a query: letters,
/// digits and `. _ ~ + / = -`. Neither its description nor `dump` shows the text. ``TokenCheck``
/// compares the token of each request with it.
public struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
  let text: String
  private let bytes: [UInt8]

  static let maximumLength = 512
  private static let minimumLength = 8

  /// - Throws: ``AccessTokenError`` if the text has other characters or is too short or too long.
  public init(_ text: String) throws(AccessTokenError) {
    guard text.utf8.count >= Self.minimumLength else { throw .tooShort(minimum: Self.minimumLength) }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(maximum: Self.maximumLength) }
    let isFit = text.utf8.allSatisfy { byte in
      byte.isASCIIAlphanumeric || "._~+/=-".utf8.contains(byte)
    }
    guard isFit else { throw .unfitCharacter }
    self.text = text
    bytes = Self.padded(text)
  }

  /// Whether a text is the token.
  ///
  /// Runs in constant time, so that timing reveals neither the token nor its length: both texts are
  /// padded to the maximum length, and every byte is compared. A candidate that exceeds the maximum
  /// length does not match, but its first bytes are compared too.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let other = Self.padded(candidate)
    var difference: UInt8 = candidate.utf8.count > Self.maximumLength ? 1 : 0
    for (one, two) in zip(bytes, other) { difference |= one ^ two }
    return difference == 0
  }

  /// Pads a text with zeros. A token contains no zero byte, and zero bytes in a candidate are
  /// replaced, so texts of different lengths remain different.
  private static func padded(_ text: some StringProtocol) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maximumLength)
    for (place, byte) in zip(0..<maximumLength, text.utf8) { bytes[place] = byte == 0 ? 1 : byte }
    return bytes
  }

  /// The name of the type, without the token.
  public var description: String { "AccessToken" }
  /// Has no children, so that `dump` does not show the token.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a text is not a valid token. Does not contain the text, which may be a mistyped secret.
public enum AccessTokenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text has fewer characters than `minimum`.
  case tooShort(minimum: Int)
  /// The text has more characters than `maximum`.
  case tooLong(maximum: Int)
  /// The text has a character that a token must not have.
  case unfitCharacter

  /// A message for the user, without a full stop.
  public var description: String {
    switch self {
    case .tooShort(let minimum): "a token must have at least \(minimum) characters"
    case .tooLong(let maximum): "a token must have at most \(maximum) characters"
    case .unfitCharacter: "a token must consist of letters, digits and . _ ~ + / = -"
    }
  }
}
