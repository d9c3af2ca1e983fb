#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file with a JSON object in it, that is replaced and never changed.
struct StoredFile: Sendable {
  let path: String

  /// - Returns: an empty object where there is no file.
  func read() throws(SharedError) -> JSONObject {
    guard let bytes = try bytes() else { return JSONObject() }
    do throws(JSONObject.Malformed) {
      return try JSONObject(bytes)
    } catch {
      throw .broken(path: path, aside: aside, reason: error.reason)
    }
  }

  /// Reads the file, changes it and puts the result in its place, while programs that do the same wait. A broken file is
  /// put aside.
  ///
  /// - Returns: what is in the file now.
  func update(_ change: (inout JSONObject) -> Void) throws(SharedError) -> JSONObject {
    // Not the file itself, which is a new one each time.
    let turn = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard turn >= 0 else { throw .unwritable(path: path, reason: lastReason) }
    defer { close(turn) }
    while flock(turn, LOCK_EX) != 0, errno == EINTR {}

    let mode = mode
    var object = JSONObject()
    do throws(SharedError) {
      object = try read()
    } catch .broken(_, let aside, _) {
      guard rename(path, aside) == 0 else { throw .unwritable(path: path, reason: lastReason) }
    }
    change(&object)
    try replace(with: object.bytes, mode: mode)
    return object
  }

  /// The first free name of those that a broken file is kept under.
  private var aside: String {
    var number = 1
    while access("\(path).broken-\(number)", F_OK) == 0 { number += 1 }
    return "\(path).broken-\(number)"
  }

  /// Who may read and write the file; `nil` where there is none.
  private var mode: mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// - Parameter mode: that of the file that was there. The new one has it before there is anything to read in it.
  private func replace(with bytes: [UInt8], mode: mode_t?) throws(SharedError) {
    let new = path + ".new"
    // One that a crash has left, or a link that somebody else has put there: neither is written to.
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode == nil ? 0o644 : 0o600)
    guard file >= 0 else { throw .unwritable(path: path, reason: lastReason) }
    // On the disk before it has the name: else a crash could leave the name without the content.
    let isWritten = (mode.map { fchmod(file, $0) == 0 } ?? true) && write(bytes, to: file) && fsync(file) == 0
    let reason = lastReason
    close(file)
    guard isWritten else {
      unlink(new)
      throw .unwritable(path: path, reason: reason)
    }
    guard rename(new, path) == 0 else { throw .unwritable(path: path, reason: lastReason) }
    let end = path.lastIndex(of: "/")
    let folder = open(end.map { path[...$0] }.map(String.init) ?? ".", O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
      }
      return true
    }
  }

  private func bytes() throws(SharedError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(path: path, reason: lastReason)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    let size = 1 << 16
    while true {
      var count = 0
      let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
        count = systemRead(file, buffer.baseAddress, size)
        used = max(0, count)
      }
      if count == 0 { return bytes }
      if count > 0 { bytes += part } else if errno != EINTR { throw .unreadable(path: path, reason: lastReason) }
    }
  }

  private var lastReason: String { String(cString: strerror(errno)) }
}

/// The system's, which have the names of methods here.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}
