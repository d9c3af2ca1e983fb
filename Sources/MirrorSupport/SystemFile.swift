internal import CLibrary

/// Reads files and folders with the calls of the system. A file may be one whose size the system
/// does not report, as in `/proc`. The programs, the metrics and the stores of shared values read
/// files with it.
public enum SystemFile {
  /// All bytes of a file.
  public static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    return try bytes(from: descriptor)
  }

  /// All bytes that an open file, pipe or terminal still has.
  public static func bytes(from descriptor: Int32) throws(SystemError) -> [UInt8] {
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }

  /// The text of a file; `nil` if it cannot be read.
  public static func text(of path: String) -> String? {
    (try? bytes(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number behind a label at the beginning of a line, such as `Threads:`; `nil` if the file
  /// does not have it.
  public static func number(after label: String, in path: String) -> Int? {
    let line = text(of: path)?.split(separator: "\n").first { $0.hasPrefix(label) }
    return line?.dropFirst(label.utf8.count).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }

  /// The names in a folder, without those that begin with a dot; `nil` if it cannot be read.
  public static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The path to which a symbolic link leads; `nil` if it cannot be read.
  public static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4_096)
    let count = readlink(link, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
