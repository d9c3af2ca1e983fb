/// A statement with its parameters, which ``PostgresConnection`` runs.
struct PostgresQuery: Sendable {
  /// The connection prepares each different text once, and keeps the prepared statement. So values
  /// must be in ``parameters``, not in the text.
  let sql: String
  let parameters: [PostgresValue]

  init(_ sql: String, _ parameters: PostgresValue...) { self.init(sql, parameters) }

  init(_ sql: String, _ parameters: [PostgresValue]) { (self.sql, self.parameters) = (sql, parameters) }
}

/// A parameter, sent in PostgreSQL's binary format. The statement casts each to its type.
enum PostgresValue: Sendable {
  /// `text`
  case text(String)
  /// `bigint`
  case int(Int)
  /// `bytea`
  case bytes([UInt8])
  /// `bigint[]`
  case ints([Int])
  /// `text[]`
  case texts([String])
  /// `bytea[]`
  case byteArrays([[UInt8]])

  /// `bytea[]` of texts, which may contain the character NUL.
  static func utf8(_ texts: [String]) -> Self { .byteArrays(texts.map { Array($0.utf8) }) }
}

extension PostgresValue {
  /// Appends the value in binary format.
  ///
  /// - Complexity: O(*bytes*).
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): bytes += text.utf8
    case .int(let number): bytes.append(bigEndian: Int64(number))
    case .bytes(let value): bytes += value
    case .ints(let numbers):
      Self.write(numbers, of: 20, to: &bytes) { number, bytes in bytes.append(bigEndian: Int64(number)) }
    case .texts(let texts): Self.write(texts, of: 25, to: &bytes) { text, bytes in bytes += text.utf8 }
    case .byteArrays(let values): Self.write(values, of: 17, to: &bytes) { value, bytes in bytes += value }
    }
  }

  /// Appends an array of one dimension.
  ///
  /// - Parameter type: the object identifier of the elements' type, as in `pg_type`.
  private static func write<Element>(
    _ elements: [Element], of type: Int32, to bytes: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))  // dimensions
    bytes.append(bigEndian: Int32(0))  // no NULL
    bytes.append(bigEndian: type)
    if elements.isEmpty { return }
    bytes.append(bigEndian: Int32(elements.count))
    bytes.append(bigEndian: Int32(1))  // the first index
    for element in elements {
      let length = bytes.count
      bytes.append(bigEndian: Int32(0))
      write(element, &bytes)
      let size = UInt32(bytes.count - length - 4)
      for byte in 0..<4 { bytes[length + byte] = UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32(byte))) }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
