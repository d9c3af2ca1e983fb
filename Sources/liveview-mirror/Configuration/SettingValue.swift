internal import LiveViewMirror
internal import Logging

/// The kinds of value that a setting can have: how each is read from text, what would do where it cannot be read, and how
/// it is written again.
enum SettingValue {
  struct Kind<Value> {
    /// The end of a sentence that begins with the text.
    let hint: String
    /// Stands in for what cannot be read, so that the rest is read as well: nobody ever gets it.
    let fallback: Value
    let read: (String) -> Value?
    let write: (Value) -> String
  }

  static var text: Kind<String> {
    Kind(hint: "is empty", fallback: "", read: { $0.isEmpty ? nil : $0 }, write: { $0 })
  }

  static var address: Kind<String> {
    Kind(
      hint: "is no IP address; write one such as 127.0.0.1, 0.0.0.0 or ::1", fallback: "",
      read: { IPAddress($0) == nil ? nil : $0 }, write: { $0 })
  }

  static var port: Kind<UInt16> {
    Kind(hint: "is no port; write a number from 0 to 65535", fallback: 0, read: number, write: String.init)
  }

  static var count: Kind<Int> {
    Kind(
      hint: "is no number from 1 on", fallback: 1, read: { number($0).flatMap { $0 > 0 ? $0 : nil } },
      write: String.init)
  }

  static var boolean: Kind<Bool> {
    Kind(
      hint: "is neither yes nor no; write 1, true or yes, or 0, false or no", fallback: false,
      read: { text in
        switch text.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
      }, write: String.init)
  }

  static var hosts: Kind<[String]> {
    Kind(
      hint: "is no host name, or list of them; write mirror or mirror.example.test, without http:// and without a port",
      fallback: [], read: { list($0, where: isHost) }, write: { $0.joined(separator: ",") })
  }

  static var origins: Kind<[String]> {
    Kind(
      hint: "is no origin, or list of them; write http://localhost:4000, without a path and without * in it",
      fallback: [], read: { list($0, where: isOrigin) }, write: { $0.joined(separator: ",") })
  }

  static var logLevel: Kind<Logger.Level> {
    Kind(
      hint: "is no level; write one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))",
      fallback: .info, read: { Logger.Level(rawValue: $0.lowercased()) }, write: \.rawValue)
  }

  static var logFormat: Kind<LogLine.Format> {
    Kind(
      hint: "is no format; write text or json", fallback: .text, read: { LogLine.Format(rawValue: $0.lowercased()) },
      write: \.rawValue)
  }

  static var pipeline: Kind<UpdateOptions.Pipeline> {
    Kind(
      hint: "is no pipeline; write scoped or full", fallback: .scoped, read: { .init(rawValue: $0.lowercased()) },
      write: \.rawValue)
  }

  // MARK: - Tokens

  static let tokenHint = "it has 8 to 512 characters of A–Z, a–z, 0–9 and . _ ~ + / = -"

  /// What goes into a header, a cookie and an address as it is, and is not guessed at once.
  static func isToken(_ text: String) -> Bool {
    (8...512).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetterOrDigit || "._~+/=-".utf8.contains($0) }
  }

  // MARK: - Parts

  /// Digits alone: no sign, no blanks, and no other alphabet's digits.
  static func number<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Number(String(text))
  }

  /// The parts between commas; blanks around them do not count.
  private static func list(_ text: String, where isValid: (String) -> Bool) -> [String]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: true).map {
      String($0.trimmingBlanks)
    }.filter { !$0.isEmpty }
    return parts.isEmpty || !parts.allSatisfy(isValid) ? nil : parts
  }

  /// A name, an address, or a name that begins with a dot for all below it.
  private static func isHost(_ text: String) -> Bool {
    if IPAddress(text) != nil { return true }
    if text.hasPrefix("["), text.hasSuffix("]") { return IPAddress(String(text.dropFirst().dropLast())) != nil }
    let labels = (text.hasPrefix(".") ? text.dropFirst() : text[...]).split(
      separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count)
          && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      }
  }

  private static func isOrigin(_ text: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else { return false }
    var host = text.dropFirst(scheme.count)
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
      let port: UInt16? = number(host[host.index(after: colon)...])
      guard port ?? 0 > 0 else { return false }
      host = host[..<colon]
    }
    return !host.hasPrefix(".") && isHost(String(host))
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
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
