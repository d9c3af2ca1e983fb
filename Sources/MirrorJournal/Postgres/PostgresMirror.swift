internal import Foundation

/// The identity of a mirror in a shared database. Each ``PostgresStore`` makes a new one, for its
/// ``PostgresWriter`` and its ``PostgresListener``.
struct PostgresMirror: Sendable {
  let id: String
  /// The number of the advisory lock that the mirror's ``PostgresWriter`` holds.
  let lock: Int
  /// The second key of the advisory lock that the mirror's ``PostgresListener`` holds while it is
  /// connected. It has 31 bits, because PostgreSQL's `integer` is signed.
  var presence: Int { Int(UInt32(truncatingIfNeeded: lock) >> 1) }

  init() {
    let uuid = UUID()
    id = uuid.uuidString
    lock = withUnsafeBytes(of: uuid.uuid) { Int(truncatingIfNeeded: $0.load(as: Int64.self)) }
  }
}
