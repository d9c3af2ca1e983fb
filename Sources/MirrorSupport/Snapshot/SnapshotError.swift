/// The reason why bytes are not a snapshot that can be restored.
package enum SnapshotError: Error, Hashable, Sendable {
  /// The bytes do not begin as a snapshot does.
  case notASnapshot
  /// The snapshot has a format that this version does not read.
  case unknownFormat(UInt8)
  /// The checksum is not that of the bytes: they were changed, or some are missing.
  case damaged
  /// A value is not one that a snapshot can have, although the checksum is right. With the offset in bytes.
  case malformed(String, at: Int)
}

extension SnapshotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notASnapshot: "the bytes are not a snapshot of a view"
    case .unknownFormat(let format):
      "the snapshot has format \(format), and this version reads format \(SnapshotWriter.format) only"
    case .damaged: "the snapshot is damaged: its checksum is not that of its bytes"
    case .malformed(let what, let offset): "the snapshot is malformed at byte \(offset): \(what)"
    }
  }
}
