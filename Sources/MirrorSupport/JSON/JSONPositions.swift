/// The values of a JSON text with their positions, found in one pass of a ``JSONScanner`` and
/// without decoding them. Explanations of diffs and insights use it.
///
/// ```swift
/// let json = JSONPositions(#"{"0":"a","1":[7]}"#)
/// json.members(of: json.top).map { json.text(of: $0.value) }   // "a" with its quotes, [7]
/// ```
///
/// The text is expected to be valid JSON, because the update process has decoded it. For another
/// text the result is unspecified, but every position is inside of the text. The pass does not
/// recurse, so deep nesting cannot overflow the stack.
package struct JSONPositions: Sendable {
  /// A value, as the index of its entry.
  package typealias Value = Int

  package enum Kind: Sendable { case object, array, string, number, word }

  /// 12 bytes for each value and each name of a member. Because positions have 32 bits, bytes after
  /// the first 2 GiB are ignored.
  private struct Entry: Sendable {
    var start: Int32
    var end: Int32
    /// The index of the entry after this value and everything in it.
    var next: Int32
  }

  private let bytes: [UInt8]
  /// Containers precede their content. In an object, names and values alternate.
  private let entries: [Entry]

  /// - Complexity: O(*bytes*).
  package init(_ json: String) {
    bytes = Array(json.utf8)
    entries = bytes.withUnsafeBufferPointer { bytes in
      let limit = min(bytes.count, Int(Int32.max))
      return Self.entries(of: JSONScanner(UnsafeBufferPointer(rebasing: bytes[..<limit])))
    }
  }

  private static func entries(of scanner: consuming JSONScanner) -> [Entry] {
    var (entries, open): ([Entry], [Int]) = ([], [])
    func close(_ container: Int, at end: Int) {
      entries[container].end = Int32(end)
      entries[container].next = Int32(entries.count)
    }
    while entries.isEmpty || !open.isEmpty, let token = scanner.token() {
      switch scanner.bytes[token.lowerBound] {
      case UInt8(ascii: ","), UInt8(ascii: ":"): continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let container = open.popLast() { close(container, at: token.upperBound) }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(entries.count)
      default: break
      }
      entries.append(
        Entry(start: Int32(token.lowerBound), end: Int32(token.upperBound), next: Int32(entries.count + 1)))
    }
    for container in open { close(container, at: scanner.bytes.count) }
    return entries.isEmpty ? [Entry(start: 0, end: 0, next: 1)] : entries
  }
}

// MARK: - Reading

extension JSONPositions {
  /// The value that the text consists of.
  package var top: Value { 0 }

  /// The number of bytes of the whole text.
  package var count: Int { bytes.count }

  package func kind(of value: Value) -> Kind {
    guard let first = range(of: value).first else { return .word }
    switch bytes[first] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: return .word
    }
  }

  /// The position of a value in the text, in bytes.
  package func range(of value: Value) -> Range<Int> { Int(entries[value].start)..<Int(entries[value].end) }

  /// The elements of an array; empty for other values.
  ///
  /// - Complexity: O(*elements*).
  package func elements(of array: Value) -> [Value] { kind(of: array) == .array ? content(of: array) : [] }

  /// The members of an object, in the order of the text; empty for other values.
  ///
  /// - Complexity: O(*members*).
  package func members(of object: Value) -> [(name: Value, value: Value)] {
    guard kind(of: object) == .object else { return [] }
    let content = content(of: object)
    return stride(from: 0, to: content.count - 1, by: 2).map { (content[$0], content[$0 + 1]) }
  }

  /// The value at a path of members and elements.
  ///
  /// - Complexity: O(*members and elements on the path*).
  package func value(at steps: some Sequence<some StringProtocol>, in value: Value) -> Value? {
    steps.reduce(Optional(value)) { value, step in
      guard let value else { return nil }
      if kind(of: value) == .object {
        return members(of: value).first { string($0.name).map { $0 == step } ?? false }?.value
      }
      let elements = elements(of: value)
      return Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
  }

  private func content(of container: Value) -> [Value] {
    var values: [Value] = []
    var value = container + 1
    while value < Int(entries[container].next) {
      values.append(value)
      value = Int(entries[value].next)
    }
    return values
  }

  /// The JSON of a value, or its first `limit` bytes.
  package func text(of value: Value, atMost limit: Int = .max) -> String {
    String(decoding: bytes[range(of: value)].prefix(limit), as: UTF8.self)
  }

  /// The characters of a string, or of its first `limit` bytes; `nil` for other values.
  package func string(_ value: Value, atMost limit: Int = .max) -> String? {
    guard kind(of: value) == .string else { return nil }
    return JSONSyntax.unescaped(bytes[range(of: value)].dropFirst().dropLast().prefix(limit))
  }

  /// A whole number of at most 64 bits; `nil` for other values.
  package func integer(_ value: Value) -> Int? {
    kind(of: value) == .number && range(of: value).count <= 20 ? Int(text(of: value)) : nil
  }

  /// Whether the value is the word `true`.
  package func isTrue(_ value: Value) -> Bool { bytes[range(of: value)].elementsEqual("true".utf8) }
}
