internal import CZlib

/// Compresses to the gzip format (RFC 1952).
enum Gzip {
  /// zlib's compression level. `docs/dependencies.md` has measurements.
  static let level: Int32 = 3
  /// The level for the files of a program, which are short. A browser that has one of them gets a 304.
  static let best: Int32 = 9

  /// Compresses bytes.
  ///
  /// - Returns: `nil` if the result is not shorter.
  /// - Complexity: O(*bytes*).
  static func compress(_ bytes: [UInt8], level: Int32 = Self.level) -> [UInt8]? {
    var stream = z_stream()
    guard let length = UInt32(exactly: bytes.count), shim_gzip_init(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    return bytes.withUnsafeBytes { input -> [UInt8]? in
      stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = length
      var isWhole = false
      // The buffer is as large as the input: a longer result is not used.
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
