internal import CPostgres

/// The rows that a statement has returned, in PostgreSQL's binary format.
/// ``PostgresConnection/run(_:)`` returns one for each statement.
final class PostgresResult {
  private let result: OpaquePointer

  /// Takes ownership of a `PGresult`.
  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var rows: Range<Int> { 0..<Int(PQntuples(result)) }

  /// A copy of a value; empty for NULL.
  func bytes(_ row: Int, _ column: Int) -> [UInt8] {
    guard let value = PQgetvalue(result, Int32(row), Int32(column)) else { return [] }
    let length = Int(PQgetlength(result, Int32(row), Int32(column)))
    return Array(UnsafeRawBufferPointer(start: value, count: length))
  }

  func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

  /// The texts of the first column.
  var texts: Set<String> { Set(rows.map { text($0, 0) }) }

  /// A `smallint`, `integer` or `bigint`; 0 for NULL.
  func int(_ row: Int, _ column: Int) -> Int {
    let bytes = bytes(row, column)
    guard let first = bytes.first else { return 0 }
    return bytes.dropFirst().reduce(Int(Int8(bitPattern: first))) { $0 << 8 | Int($1) }
  }

  func bool(_ row: Int, _ column: Int) -> Bool { bytes(row, column).first == 1 }
}
