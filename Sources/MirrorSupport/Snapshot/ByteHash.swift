/// A hash of bytes that is the same in every process. Swift's `Hasher` has a random seed in each
/// process.
///
/// A ``SnapshotWriter`` ends each snapshot with this hash as its checksum, and a ``SnapshotReader``
/// compares it. `Statics` and the causes of findings hash long texts with it.
///
/// Stored snapshots contain such hashes, so the same bytes must have the same hash in every release
/// that reads these snapshots.
///
/// Each step maps different states to different states. So two inputs of the same length never have
/// the same hash if they differ only within one aligned word of 8 bytes. Any other two inputs have
/// the same hash with a probability of about 2^-64. The hash is no protection against somebody who
/// searches for two inputs with one hash.
package struct ByteHash: Sendable {
  private var state: UInt64 = 0

  /// - Complexity: O(*bytes*).
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = ByteHash()
    let words = bytes.count & ~7
    var position = 0
    while position < words {
      hash.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position += 8
    }
    var rest: UInt64 = 0
    while position < bytes.count {
      rest = rest << 8 | UInt64(bytes[position])
      position += 1
    }
    hash.add(rest)
    hash.add(UInt64(bytes.count))
    return hash.state
  }

  private mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }
}

extension String {
  /// The ``ByteHash`` of the UTF-8 bytes.
  ///
  /// - Complexity: O(*bytes*).
  package var byteHash: UInt64 {
    var text = self
    return text.withUTF8 { ByteHash.of(UnsafeRawBufferPointer($0)) }
  }
}
