internal import LiveViewMirror
internal import Logging
internal import MicroHTTP
internal import MirrorInspector
internal import MirrorJournal
internal import MirrorSupport

/// How the values of a setting are read from text and written again. Each row of ``SettingsTable``
/// has one.
struct SettingKind<Value: Sendable>: Sendable {
  /// What a value must be. In an error message, it follows the text that cannot be read.
  let expectation: String
  /// Replaces a value that cannot be read, so that the other settings are read too. No caller ever
  /// gets it.
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
  /// A text for which a condition holds.
  private static func text(_ expectation: String, where isValid: @escaping @Sendable (String) -> Bool) -> Self {
    Self(expectation, fallback: "", read: { isValid($0) ? $0 : nil }, write: { $0 })
  }

  static var text: Self { text("must not be empty") { !$0.isEmpty } }

  static var address: Self {
    text("must be an IP address, such as 127.0.0.1, 0.0.0.0 or ::1") { IPAddress($0) != nil }
  }

  /// The names of editors, separated by commas.
  static var editorNames: String { Editor.named.map(\.key).joined(separator: ", ") }

  static var editor: Self {
    text(
      "must be one of \(editorNames), or an address with __FILE__ and __LINE__, such as zed://file__FILE__:__LINE__"
    ) { Editor($0) != nil }
  }

  static var absolutePath: Self { text("must be an absolute path, such as /home/ada/shop") { $0.hasPrefix("/") } }

  static var folder: Self { text("must be a folder that exists and can be read") { TemplateFiles(folder: $0) != nil } }

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

  /// Bytes: `16MiB`, `16MB` or `16000000`.
  static var size: Self {
    Self(
      "must be a number of bytes ≥ 1, alone or with KB, MB, GB, KiB, MiB or GiB, such as 16MiB", fallback: 1,
      read: { Quantity.bytes($0).flatMap { $0 > 0 ? $0 : nil } }, write: { Quantity.text(ofBytes: $0) })
  }
}

extension SettingKind<Duration?> {
  /// How long a view is kept: a time, or `nil` for ever.
  static var expiry: Self {
    Self(
      "\(Quantity.timeExpectation), or never", fallback: nil,
      read: { text in
        if text.lowercased() == "never" { return .some(nil) }
        guard let time = Quantity.time(text), time > .zero else { return nil }
        return .some(time)
      }, write: { $0.map { Quantity.text(of: $0) } ?? "never" })
  }
}

extension SettingKind<Duration> {
  static var grace: Self {
    Self(
      "must be a time of at most an hour with a unit, such as 500ms, 8s or 1m", fallback: .zero,
      read: { Quantity.time($0).flatMap { $0 <= .seconds(3_600) ? $0 : nil } }, write: { Quantity.text(of: $0) })
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

  /// A list of parts between commas. Each part must satisfy `isValid`.
  private static func list(_ expectation: String, where isValid: @escaping @Sendable (String) -> Bool) -> Self {
    Self(
      expectation, fallback: [], read: { SettingText.list($0, where: isValid) }, write: { $0.joined(separator: ",") })
  }

  static var hosts: Self {
    list(
      "must be a host name, such as mirror or mirror.example.test, or a list of them, without http:// and without a port"
    ) { (try? HostPattern($0)) != nil }
  }

  static var origins: Self {
    list("must be an origin, such as http://localhost:4000, or a list of them, without a path and without *") {
      (try? WebOrigin($0)) != nil
    }
  }

  static var paths: Self {
    list("must be a path, such as /assets/css/app.css, or a list of them") { AppStyles.isPath($0) }
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

/// Reads numbers, lists and tokens in the texts of settings. ``SettingKind``, ``MirrorAddress`` and
/// ``ResponseReader`` use it.
enum SettingText {
  static let tokenExpectation = "must have 8 to 512 characters of A–Z, a–z, 0–9 and . _ ~ + / = -"

  static func isToken(_ text: String) -> Bool { (try? AccessToken(text)) != nil }

  /// Reads a number that consists of ASCII digits only, without a sign or blanks.
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
