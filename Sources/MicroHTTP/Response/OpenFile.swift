internal import CLibrary

/// A file or directory that is open for reading. Closed when the last reference is released.
/// ``StaticFiles`` and `TemplateFiles` of `MirrorInspector` read with it.
package final class OpenFile {
  package enum Kind { case directory, regular, other }

  private let descriptor: Int32
  package let kind: Kind
  /// In bytes.
  package let size: Int
  /// When it was last changed, in milliseconds since 1970.
  package let modified: Int64

  /// The absolute path of a directory without symbolic links, so that a later change of the working
  /// directory has no effect; `nil` if there is no such directory, or it cannot be read.
  package static func path(ofDirectory directory: String) -> String? {
    guard let resolved = realpath(directory, nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return OpenFile(directory: path)?.kind == .directory ? path : nil
  }

  /// Opens a directory.
  ///
  /// - Parameter directory: a path. Symbolic links in it are followed.
  package convenience init?(directory: String) {
    self.init(descriptor: open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// Opens a file or directory by its name in another directory. `nil` if it does not exist or is a
  /// symbolic link.
  ///
  /// Non-blocking: opening a named pipe would otherwise wait for a writer.
  package convenience init?(_ name: String, in directory: OpenFile) {
    self.init(descriptor: openat(directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
  }

  private init?(descriptor: Int32) {
    var status = stat()
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      return nil
    }
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    switch status.st_mode & S_IFMT {
    case S_IFDIR: kind = .directory
    case S_IFREG: kind = .regular
    default: kind = .other
    }
  }

  deinit { close(descriptor) }

  /// The content of a regular file; `nil` after a read error. To be called once, because reading
  /// moves the position in the file.
  package func contents() -> [UInt8]? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let start = buffer.baseAddress {
        let got = read(descriptor, start + count, size - count)
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        if got <= 0 { break }
        count += got
      }
    }
    return failed ? nil : bytes
  }
}
