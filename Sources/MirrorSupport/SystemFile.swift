#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The files and folders in which Linux tells about processes and the machine, such as those of `/proc`. Other systems have none.
public enum SystemFile {
  /// The whole text of a file, whose size the system does not tell; `nil` if it cannot be read.
  public static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (text, part) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
    while true {
      let count = read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      text += part[..<count]
    }
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
