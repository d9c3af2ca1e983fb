/// A secret that opens a server.
///
///     let token = try AccessToken("correct-horse-battery-staple")
///
/// It is made of what fits into a header, a cookie and a query as it stands: letters, digits and `. _ ~ + / = -`, from 8 to
/// 512 of them. It never describes itself.
public struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
  let text: String
  private let bytes: [UInt8]

  static let maximumLength = 512
  private static let minimumLength = 8

  public init(_ text: String) throws(AccessTokenError) {
    guard text.utf8.count >= Self.minimumLength else { throw .tooShort(minimum: Self.minimumLength) }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(maximum: Self.maximumLength) }
    let isFit = text.utf8.allSatisfy { byte in
      byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
        || "._~+/=-".utf8.contains(byte)
    }
    guard isFit else { throw .unfitCharacter }
    self.text = text
    bytes = Self.padded(text)
  }

  /// Whether that is the token.
  ///
  /// The time says nothing about the token, not even its length: both are filled up to the longest that there is, every
  /// byte is compared whatever came before, and what is too long is compared in its beginning all the same.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let other = Self.padded(candidate)
    var difference: UInt8 = candidate.utf8.count > Self.maximumLength ? 1 : 0
    for (one, two) in zip(bytes, other) { difference |= one ^ two }
    return difference == 0
  }

  /// Zero is no byte of a token, so that texts of different lengths stay different; in a candidate it becomes another.
  private static func padded(_ text: some StringProtocol) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maximumLength)
    for (place, byte) in zip(0..<maximumLength, text.utf8) { bytes[place] = byte == 0 ? 1 : byte }
    return bytes
  }

  public var description: String { "AccessToken" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a text is no token. The text is left out: it may be the secret that somebody mistyped.
public enum AccessTokenError: Error, Sendable, Hashable, CustomStringConvertible {
  case tooShort(minimum: Int)
  case tooLong(maximum: Int)
  case unfitCharacter

  public var description: String {
    switch self {
    case .tooShort(let minimum): "a token has at least \(minimum) characters"
    case .tooLong(let maximum): "a token has at most \(maximum) characters"
    case .unfitCharacter: "a token is made of letters, digits and . _ ~ + / = -"
    }
  }
}
