internal import LiveViewMirror
internal import Logging
internal import MicroHTTP
internal import MirrorInspector
internal import MirrorJournal
internal import MirrorSupport

/// How the values of a setting are read from text and written again.
struct SettingKind<Value: Sendable>: Sendable {
  /// What a value must be: the end of a sentence that begins with the text.
  let expectation: String
  /// Replaces a value that cannot be read, so that the other settings are read too. No caller ever gets it.
  let fallback: Value
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String
  /// How an error quotes a value that cannot be read.
  let quote: @Sendable (String) -> String
  /// All values, which shells propose; empty if there are too many.
  let choices: [String]

  init(
    _ expectation: String, fallback: Value, read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String, quote: @escaping @Sendable (String) -> String = { $0 },
    choices: [String] = []
  ) {
    self.quote = quote
    self.choices = choices
    self.expectation = expectation
    self.fallback = fallback
    self.read = read
    self.write = write
  }
}

extension SettingKind<String> {
  static var text: Self { Self("must not be empty", fallback: "", read: { $0.isEmpty ? nil : $0 }, write: { $0 }) }

  static var address: Self {
    Self(
      "must be an IP address, such as 127.0.0.1, 0.0.0.0 or ::1", fallback: "",
      read: { IPAddress($0) == nil ? nil : $0 }, write: { $0 })
  }
}

extension SettingKind<String> {
  /// The names of editors, separated by commas.
  static var editorNames: String { Editor.named.map(\.key).joined(separator: ", ") }

  static var editor: Self {
    Self(
      "must be one of \(editorNames), or an address with __FILE__ and __LINE__, such as zed://file__FILE__:__LINE__",
      fallback: "", read: { Editor($0) == nil ? nil : $0 }, write: { $0 })
  }

  static var absolutePath: Self {
    Self(
      "must be an absolute path, such as /home/ada/shop", fallback: "",
      read: { $0.hasPrefix("/") ? $0 : nil }, write: { $0 })
  }
}

extension SettingKind<JournalLocation> {
  static var journal: Self {
    Self(
      JournalLocation.expectation, fallback: .sqlite(path: ""), read: { JournalLocation($0) },
      write: { $0.description }, quote: { JournalLocation.redacted($0) })
  }
}

extension SettingKind<UInt16> {
  static var port: Self {
    Self("must be a port from 0 to 65535", fallback: 0, read: { SettingText.number($0) }, write: { String($0) })
  }
}

extension SettingKind<Int> {
  static var count: Self {
    Self(
      "must be a whole number ≥ 1", fallback: 1, read: { SettingText.number($0).flatMap { $0 > 0 ? $0 : nil } },
      write: { String($0) })
  }
}

extension SettingKind<Bool> {
  static var boolean: Self {
    Self(
      "must be 1, true or yes, or 0, false or no", fallback: false,
      read: { text in
        switch text.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
      }, write: { String($0) })
  }
}

extension SettingKind<[String]> {
  static var names: Self {
    Self(
      "must be a name without spaces, such as password, or a list of them, or none", fallback: [],
      read: { text in
        if text.lowercased() == "none" { return [] }
        return SettingText.list(text) { name in name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F } }
      },
      write: { $0.isEmpty ? "none" : $0.joined(separator: ",") })
  }

  static var hosts: Self {
    Self(
      "must be a host name, such as mirror or mirror.example.test, or a list of them, without http:// and without a port",
      fallback: [], read: { SettingText.list($0) { (try? HostPattern($0)) != nil } },
      write: { $0.joined(separator: ",") })
  }

  static var origins: Self {
    Self(
      "must be an origin, such as http://localhost:4000, or a list of them, without a path and without *",
      fallback: [], read: { SettingText.list($0) { (try? WebOrigin($0)) != nil } },
      write: { $0.joined(separator: ",") })
  }
}

extension SettingKind<String> {
  static var appOrigin: Self {
    Self(
      "must be an origin with http or https and a host name or an IPv4 address, such as http://localhost:4000, without a path",
      fallback: "",
      read: { text in
        let text = text.lowercased()
        let isWeb = text.hasPrefix("http://") || text.hasPrefix("https://")
        // A content security policy cannot contain an IPv6 address.
        guard isWeb, !text.contains("["), (try? WebOrigin(text)) != nil else { return nil }
        return text
      }, write: { $0 })
  }
}

extension SettingKind<[String]> {
  static var paths: Self {
    Self(
      "must be a path, such as /assets/css/app.css, or a list of them", fallback: [],
      read: { SettingText.list($0, where: AppStyles.isPath) }, write: { $0.joined(separator: ",") })
  }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of some words, in upper or lower case.
  static func word(_ fallback: Value) -> Self {
    let words = Value.allCases.map(\.rawValue)
    let list = words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")"
    return Self(
      "must be \(list)", fallback: fallback, read: { Value(rawValue: $0.lowercased()) }, write: { $0.rawValue },
      choices: words)
  }
}

// MARK: - Text

enum SettingText {
  static let tokenExpectation = "must have 8 to 512 characters of A–Z, a–z, 0–9 and . _ ~ + / = -"

  static func isToken(_ text: String) -> Bool { (try? AccessToken(text)) != nil }

  /// ASCII digits alone: no sign and no blanks.
  static func number<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Number(String(text))
  }

  /// The parts between commas, without the blanks around them.
  static func list(_ text: String, where isValid: (String) -> Bool) -> [String]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: true).map {
      String($0.trimmingBlanks)
    }.filter { !$0.isEmpty }
    return parts.isEmpty || !parts.allSatisfy(isValid) ? nil : parts
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
