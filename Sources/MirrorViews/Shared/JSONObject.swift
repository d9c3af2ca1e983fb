internal import MirrorSupport

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A JSON object whose values keep their original bytes, so that a change of one member does not
/// reformat the others. A ``StoredFile`` is read into such an object and written from it.
struct JSONObject: Sendable {
  /// The JSON of each value, by name.
  private(set) var members: [String: [UInt8]] = [:]

  struct Malformed: Error {
    let reason: String
  }

  /// Whether the text is the JSON of one value instead of an object. Every name then refers to this
  /// value.
  private let holdsOneValue: Bool

  init(holdsOneValue: Bool = false) { self.holdsOneValue = holdsOneValue }

  /// Reads the JSON text of an object, or of one value.
  ///
  /// - Throws: ``Malformed`` if the text is not a JSON object, or one JSON value, in UTF-8.
  /// - Complexity: O(*bytes*).
  init(_ bytes: [UInt8], holdsOneValue: Bool = false) throws(Malformed) {
    self.holdsOneValue = holdsOneValue
    if holdsOneValue {
      try Self.check(bytes, as: Skipped.self)
      let end = bytes.lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
      members[Self.nameOfOneValue] = Array(bytes[..<end])
      return
    }
    try Self.check(bytes, as: [String: Skipped].self)
    // `check` has decoded the text without an error, so the scanner need not check the syntax
    // again.
    members = bytes.withUnsafeBufferPointer { text in
      var (scanner, members) = (JSONScanner(text), [String: [UInt8]]())
      scanner.take(UInt8(ascii: "{"))
      while let name = scanner.name() { members[JSONSyntax.unescaped(bytes[name])] = Array(text[scanner.value()]) }
      return members
    }
  }

  private static func check(_ bytes: [UInt8], as type: (some Decodable).Type) throws(Malformed) {
    // `JSONDecoder` also accepts UTF-16 and UTF-32. In these two encodings, an ASCII character
    // contains zero bytes. JSON text in UTF-8 never contains a zero byte.
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw Malformed(reason: "it is not UTF-8")
    }
    do {
      _ = try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw Malformed(reason: error.summary)
    } catch {
      throw Malformed(reason: "\(error)")
    }
  }

  private static let nameOfOneValue = ""

  subscript(name: String) -> [UInt8]? {
    get { members[holdsOneValue ? Self.nameOfOneValue : name] }
    set { members[holdsOneValue ? Self.nameOfOneValue : name] = newValue }
  }

  /// The JSON text: an object with one member per line, sorted by name; or the one value and a line
  /// feed.
  var bytes: [UInt8] {
    if holdsOneValue { return (members[Self.nameOfOneValue] ?? []) + [UInt8(ascii: "\n")] }
    let lines = members.sorted { $0.key < $1.key }
      .map { member in
        let name = (try? JSONEncoder().encode(member.key)).map(Array.init) ?? []
        return Array("  ".utf8) + name + Array(": ".utf8) + member.value
      }
    return Array("{\n".utf8) + lines.joined(separator: Array(",\n".utf8)) + Array("\n}\n".utf8)
  }

  /// Accepts any value without decoding it.
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
  }
}

extension DecodingError {
  /// The problem and its coding path, in one line.
  var summary: String {
    func at(_ context: Context) -> String {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return context.debugDescription + (path.isEmpty ? "" : " (at \(path))")
    }
    return switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      at(context)
    @unknown default: "\(self)"
    }
  }
}
