/// What names one state of a resource: `W/"2c1a…"` (RFC 9110 §8.8.3).
struct EntityTag: Sendable, Hashable, CustomStringConvertible {
  let isWeak: Bool
  /// What stands between the quotes.
  let opaque: Substring

  /// A tag of these bytes: equal bytes have equal tags, and no others do for as long as the program runs.
  ///
  /// Weak, because it stays the same whether the bytes are compressed or not. O(*n*).
  init(of bytes: [UInt8]) {
    let (first, second) = bytes.withUnsafeBytes { Self.hash.hash($0) }
    isWeak = true
    opaque = Substring(Self.hexadecimal(first) + Self.hexadecimal(second))
  }

  /// A key of this process, so that nobody outside can make two contents of one tag.
  private static let hash = SipHash(key: (.random(in: 0...UInt64.max), .random(in: 0...UInt64.max)))

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private init(isWeak: Bool, opaque: Substring) {
    self.isWeak = isWeak
    self.opaque = opaque
  }

  /// - Returns: `nil` for a text that is no tag.
  init?(_ text: String) {
    guard case .tags(let tags) = List(text), tags.count == 1 else { return nil }
    self = tags[0]
  }

  var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

  /// What `If-Match` and `If-None-Match` hold.
  enum List: Equatable {
    /// `*`: whatever there is.
    case any
    case tags([EntityTag])

    /// `nil` for a text that is neither: then it is as if it were not there. O(*n*).
    init?(_ text: String) {
      var rest = Substring(text).trimmingOptionalWhitespace
      if rest == "*" {
        self = .any
        return
      }
      var tags: [EntityTag] = []
      while true {
        let isWeak = rest.utf8.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.utf8.first == UInt8(ascii: "\"") else { return nil }
        let inner = rest.utf8.dropFirst()
        guard let end = inner.firstIndex(of: UInt8(ascii: "\"")),
          inner[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        tags.append(EntityTag(isWeak: isWeak, opaque: Substring(inner[..<end])))
        rest = Substring(inner[inner.index(after: end)...]).trimmingOptionalWhitespace
        if rest.isEmpty { break }
        guard rest.utf8.first == UInt8(ascii: ",") else { return nil }
        rest = rest.dropFirst().trimmingOptionalWhitespace
      }
      self = .tags(tags)
    }

    /// Whether one of them names the same content; weak tags do.
    func containsWeakly(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { $0.opaque == tag.opaque }
      }
    }

    /// Whether one of them names the same bytes, which no weak tag does.
    func containsStrongly(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { !$0.isWeak && !tag.isWeak && $0.opaque == tag.opaque }
      }
    }
  }
}
