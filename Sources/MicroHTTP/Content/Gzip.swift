internal import CZlib

/// Bytes in the gzip format (RFC 1952).
enum Gzip {
  /// The level is zlib's: see `docs/dependencies.md` for what each costs.
  static let level: Int32 = 3

  /// The bytes, compressed; `nil` where that makes them no shorter. O(*n*).
  static func compress(_ bytes: [UInt8], level: Int32 = Self.level) -> [UInt8]? {
    var stream = z_stream()
    guard let length = UInt32(exactly: bytes.count), shim_gzip_init(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    return bytes.withUnsafeBytes { input -> [UInt8]? in
      stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = length
      var isWhole = false
      // What needs more room than the bytes themselves is not wanted.
      let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = length
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = isWhole ? bytes.count - Int(stream.avail_out) : 0
      }
      return isWhole && compressed.count < bytes.count ? compressed : nil
    }
  }
}
