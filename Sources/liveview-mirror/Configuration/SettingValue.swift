internal import LiveViewMirror
internal import Logging
internal import MicroHTTP
internal import MirrorInspector

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
      fallback: [], read: { list($0) { (try? HostPattern($0)) != nil } }, write: { $0.joined(separator: ",") })
  }

  static var origins: Kind<[String]> {
    Kind(
      hint: "is no origin, or list of them; write http://localhost:4000, without a path and without * in it",
      fallback: [], read: { list($0) { (try? WebOrigin($0)) != nil } }, write: { $0.joined(separator: ",") })
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

  static var pageImages: Kind<PageImages> {
    Kind(
      hint: "is no choice of images; write none or https", fallback: .none,
      read: { PageImages(rawValue: $0.lowercased()) }, write: \.rawValue
    )
  }

  static var pipeline: Kind<UpdateOptions.Pipeline> {
    Kind(
      hint: "is no pipeline; write scoped or full", fallback: .scoped, read: { .init(rawValue: $0.lowercased()) },
      write: \.rawValue)
  }

  // MARK: - Tokens

  static let tokenHint = "it has 8 to 512 characters of A–Z, a–z, 0–9 and . _ ~ + / = -"

  static func isToken(_ text: String) -> Bool { (try? AccessToken(text)) != nil }

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
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
