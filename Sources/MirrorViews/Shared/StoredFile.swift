internal import CLibrary
internal import MirrorSupport

/// A file that holds a JSON object, or the JSON of one value. The file is replaced as a whole and
/// never modified in place. Every ``FileStore`` has one.
struct StoredFile: Sendable {
  let path: String
  /// Whether the file holds the JSON of one value, instead of an object with a member for each
  /// value.
  var holdsOneValue = false

  /// Identifies one content of the file. Every change replaces the file, so it also changes the
  /// version.
  struct Version: Equatable, Sendable {
    let file: UInt64
    let seconds: Int
    let nanoseconds: Int
    let size: Int
  }

  /// The version of the file; `nil` if it does not exist.
  var version: Version? {
    var status = stat()
    return stat(path, &status) == 0 ? Self.version(status) : nil
  }

  private static func version(_ status: stat) -> Version {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Version(
      file: UInt64(status.st_ino), seconds: time.tv_sec, nanoseconds: time.tv_nsec, size: Int(status.st_size))
  }

  /// The path of the file for ``FileStore/appStorage``. Its folder is created.
  static func pathOfAppStorage() -> String {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { $0 + "/.local/share" } ?? "."
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
    let folder = "\(data)/\(program)"
    var end = folder.startIndex
    while let slash = folder[end...].dropFirst().firstIndex(of: "/") {
      mkdir(String(folder[..<slash]), 0o755)
      end = slash
    }
    mkdir(folder, 0o755)
    return folder + "/app-storage.json"
  }

  /// Reads the file.
  ///
  /// - Returns: the object; an empty object if the file does not exist.
  func read() throws(SharedError) -> JSONObject {
    guard let bytes = try bytes() else { return JSONObject(holdsOneValue: holdsOneValue) }
    do throws(JSONObject.Malformed) {
      return try JSONObject(bytes, holdsOneValue: holdsOneValue)
    } catch {
      throw .broken(path: path, aside: aside, reason: error.reason)
    }
  }

  /// Reads the file, changes the object and replaces the file. Meanwhile a lock file excludes all
  /// other writers that use this type, in this or another program. A broken file is renamed before
  /// the new file is written.
  ///
  /// - Returns: the new content of the file, and its version.
  func update(_ change: (inout JSONObject) -> Void) throws(SharedError) -> (object: JSONObject, version: Version?) {
    // The lock is taken on a separate file, because the file itself is replaced each time.
    let lockFile = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lockFile >= 0 else { throw .unwritable(path: path, reason: SystemError.last.description) }
    defer { close(lockFile) }
    while flock(lockFile, LOCK_EX) != 0, errno == EINTR {}

    let mode = mode
    var object = JSONObject(holdsOneValue: holdsOneValue)
    do throws(SharedError) {
      object = try read()
    } catch .broken(_, let aside, _) {
      guard rename(path, aside) == 0 else { throw .unwritable(path: path, reason: SystemError.last.description) }
    }
    change(&object)
    return (object, try replace(with: object.bytes, mode: mode))
  }

  /// The first unused name for a broken file.
  private var aside: String {
    var number = 1
    while access("\(path).broken-\(number)", F_OK) == 0 { number += 1 }
    return "\(path).broken-\(number)"
  }

  /// The permissions of the file; `nil` if the file does not exist.
  private var mode: mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// Writes a new file and renames it over the old file.
  ///
  /// - Parameter mode: the permissions of the old file. They are set before any content is written.
  /// - Returns: the version of the new file. Another program may already have replaced the new
  ///   file. The next ``version`` then differs from the returned one.
  private func replace(with bytes: [UInt8], mode: mode_t?) throws(SharedError) -> Version? {
    let new = path + ".new"
    // Removes a file that a crash has left, or a link that another user has placed there. If either
    // appears again before `open`, `O_EXCL` and `O_NOFOLLOW` make `open` fail.
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode == nil ? 0o644 : 0o600)
    guard file >= 0 else { throw .unwritable(path: path, reason: SystemError.last.description) }
    // The content must be on the disk before the rename. Otherwise a crash could leave an empty
    // file under the name.
    let isWritten = (mode.map { fchmod(file, $0) == 0 } ?? true) && write(bytes, to: file) && fsync(file) == 0
    let reason = SystemError.last.description
    var status = stat()
    let version = fstat(file, &status) == 0 ? Self.version(status) : nil
    close(file)
    guard isWritten else {
      unlink(new)
      throw .unwritable(path: path, reason: reason)
    }
    guard rename(new, path) == 0 else { throw .unwritable(path: path, reason: SystemError.last.description) }
    // The folder must be on the disk too. Otherwise a crash could undo the rename.
    let end = path.lastIndex(of: "/")
    let folder = open(end.map { path[...$0] }.map(String.init) ?? ".", O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    return version
  }

  private func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = CLibrary.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
      }
      return true
    }
  }

  private func bytes() throws(SharedError) -> [UInt8]? {
    do throws(SystemError) { return try SystemFile.bytes(of: path) } catch {
      if error == .noSuchFile { return nil }
      throw .unreadable(path: path, reason: error.description)
    }
  }

}
