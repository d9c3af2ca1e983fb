import CLibrary
import MirrorSupport

/// Reads and writes whole files for the commands of the benchmark.
enum File {
  /// The first line of a file that begins with `start`; `nil` if there is no such line, or no such
  /// file.
  static func line(beginning start: String, of name: String) -> Substring? {
    SystemFile.text(of: name)?.split(separator: "\n").first { $0.hasPrefix(start) }
  }

  static func write(_ bytes: [UInt8], to name: String) throws {
    guard let file = fopen(name, "w") else { throw BenchmarkError("cannot write \(name)") }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw BenchmarkError("cannot write all of \(name)") }
  }
}
