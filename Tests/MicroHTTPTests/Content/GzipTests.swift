import CZlib
import Testing

@testable import MicroHTTP

@Suite("Gzip")
struct GzipTests {
  /// Decompresses with zlib directly; `nil` if the bytes are not exactly one complete gzip stream.
  private func decompress(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    var stream = z_stream()
    guard shim_gunzip_init(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: count + 1)
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return inflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    return isWhole && stream.total_in == bytes.count ? Array(output.prefix(Int(stream.total_out))) : nil
  }

  @Test(arguments: [64, 1_024, 65_535, 65_536, 300_000, 3_000_000])
  func `decompressing restores the original bytes`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 / 7) &* ($0 / 1_001)) & 0x1F }
    let compressed = try #require(Gzip.compress(bytes))
    #expect(compressed.count < bytes.count)
    #expect(decompress(compressed, count: count) == bytes)
  }

  @Test
  func `content that gzip cannot shorten gives nil`() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<100_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    #expect(Gzip.compress(bytes) == nil)
    #expect(Gzip.compress([]) == nil)
    #expect(Gzip.compress([1]) == nil)
  }
}
