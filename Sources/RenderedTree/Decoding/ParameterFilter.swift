internal import MirrorSupport

/// Removes secrets from the values of events, from addresses and from forms before they are stored.
/// `LiveViewCoordinator` filters each message with it before an update.
///
/// As in Phoenix (`config :phoenix, :filter_parameters`), a parameter is secret if its name
/// contains one of the filter's names, and its value becomes `[FILTERED]`. Unlike Phoenix, the
/// filter ignores the case of ASCII letters.
package struct ParameterFilter: Sendable, Hashable {
  /// The names, in lower case.
  package let names: [String]
  /// Complete names of parameters that are secret too, such as those of password fields.
  package var fields: Set<String> = []

  package init(names: [String]) { self.names = names.filter { !$0.isEmpty }.map { $0.lowercased() } }

  /// The value that replaces a secret one, as Phoenix writes it.
  package static let replacement = "[FILTERED]"
  private static let encodedReplacement = "%5BFILTERED%5D"

  /// Whether the value of a parameter is a secret.
  package func isSecret(_ name: some StringProtocol) -> Bool {
    if fields.contains(String(name)) { return true }
    let name = name.lowercased()
    return names.contains { name.contains($0) }
  }

  // MARK: - Text

  /// The text of a form or an address without its secrets. If the value of a parameter is itself an
  /// address or JSON, it is filtered too. The user name and password of an address are replaced.
  /// Examples: `a=1&password=2`, `/login?token=3`, `back=%2F%3Ftoken%3D3`,
  /// `http://user:password@host/`.
  ///
  /// - Complexity: O(*bytes* · *names*).
  package func text(_ text: String) -> String { self.text(text, depth: 0) }

  /// The depth down to which values inside of values are examined.
  static let mostNested = 3

  func text(_ text: String, depth: Int) -> String {
    let text = Self.withoutUser(text)
    guard depth <= Self.mostNested, text.utf8.contains(UInt8(ascii: "=")) else { return text }
    var result = ""
    var part = text.startIndex
    while part < text.endIndex {
      let end = text.utf8[part...].firstIndex { "?&#;".utf8.contains($0) } ?? text.endIndex
      let pair = text[part..<end]
      if let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let value = Self.decoded(pair[sign...].dropFirst())
        let isHidden = isSecret(Self.decoded(pair[..<sign])) || string(value, depth: depth + 1) != value
        result += isHidden ? pair[...sign] + Self.encodedReplacement : pair
      } else {
        result += pair
      }
      guard end < text.endIndex else { break }
      part = text.utf8.index(after: end)
      result += text[end..<part]
    }
    return result
  }

  /// The text without the user names and passwords of addresses in it.
  private static func withoutUser(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")), text.contains("://") else { return text }
    return text.replacing(#/:\/\/[^\/?#@\s]*@/#, with: "://\(replacement)@")
  }

  /// Decodes a name or value of a form (`application/x-www-form-urlencoded`). An invalid escape is
  /// kept.
  package static func decoded(_ name: Substring) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return String(name) }
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalDigit,
        let low = rest.dropFirst().first?.hexadecimalDigit
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
