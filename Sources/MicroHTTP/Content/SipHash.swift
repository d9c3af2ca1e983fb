/// SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012): a fast keyed hash. ``EntityTag``
/// hashes content with it.
///
/// Without the key it is not feasible to find two texts with the same hash, so the hash can
/// identify content that a client has chosen. The standard library's `Hasher` has only 64 bits and
/// is made for hash tables.
struct SipHash {
  let key: (UInt64, UInt64)

  private struct State {
    var a, b, c, d: UInt64

    @inline(__always)
    mutating func round() {
      a &+= b
      b = b << 13 | b >> 51
      b ^= a
      a = a << 32 | a >> 32
      c &+= d
      d = d << 16 | d >> 48
      d ^= c
      a &+= d
      d = d << 21 | d >> 43
      d ^= a
      c &+= b
      b = b << 17 | b >> 47
      b ^= c
      c = c << 32 | c >> 32
    }

    @inline(__always)
    mutating func take(_ word: UInt64) {
      d ^= word
      round()
      round()
      a ^= word
    }

    mutating func finish() -> UInt64 {
      for _ in 0..<4 { round() }
      return a ^ b ^ c ^ d
    }
  }

  /// Hashes bytes, eight at a time.
  ///
  /// - Returns: the two words of the hash, in the order of its bytes.
  /// - Complexity: O(*bytes*).
  func hash(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    var state = State(
      a: key.0 ^ 0x736F_6D65_7073_6575, b: key.1 ^ 0x646F_7261_6E64_6F6D ^ 0xEE, c: key.0 ^ 0x6C79_6765_6E65_7261,
      d: key.1 ^ 0x7465_6462_7974_6573)
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      state.take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for (place, byte) in bytes[whole...].enumerated() { last |= UInt64(byte) << (8 * UInt64(place)) }
    state.take(last)

    state.c ^= 0xEE
    let first = state.finish()
    state.b ^= 0xDD
    return (first, state.finish())
  }
}
