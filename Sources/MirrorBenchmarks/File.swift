#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum File {
  /// The content of a file; `nil` if it cannot be read.
  static func bytes(of name: String) -> [UInt8]? {
    let descriptor = open(name, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  /// The first line with a prefix; `nil` if there is no such line.
  static func line(beginning start: String, of name: String) -> Substring? {
    guard let bytes = bytes(of: name) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(start) }
  }

  static func write(_ bytes: [UInt8], to name: String) throws {
    guard let file = fopen(name, "w") else { throw BenchmarkError("cannot write \(name)") }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw BenchmarkError("cannot write all of \(name)") }
  }
}
