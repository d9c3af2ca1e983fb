internal import CLibrary
internal import LiveViewMirror
internal import MirrorSupport
internal import Synchronization

/// Checks a file before ``SQLiteStore`` opens it, because the messages of SQLite do not say what to
/// do.
enum SQLiteFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// The path of a file without symbolic links, so that two names of a file have one lock. The file
  /// is created if it does not exist. If that fails, the path itself is returned.
  static func realPath(of path: String) -> String {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if file >= 0 { close(file) }
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  static func check(_ path: String) throws(JournalError) {
    if path.isEmpty { throw JournalError(.unusable, "the journal needs the path of a file") }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw JournalError(.unusable, "the journal \(path) cannot be read: \(SystemError.last)")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw JournalError(.unusable, "\(path) is a folder: name a file for the journal, such as \(path)/mirror.sqlite")
    }
    // SQLite would keep a write-ahead log beside each name.
    if status.st_nlink > 1 {
      throw JournalError(
        .unusable,
        """
        the journal \(path) has other names (hard links), which would have other write-ahead logs: remove them (find -samefile shows them), \
        or use a copy
        """)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw JournalError(.unusable, "the journal \(path) cannot be read: \(SystemError.last)")
    }
    defer { close(file) }
    var beginning = [UInt8](repeating: 0, count: magic.count)
    let count = read(file, &beginning, beginning.count)
    // SQLite itself creates empty files.
    if count == 0 || beginning == magic { return }
    throw JournalError(.unusable, "\(path) is not a SQLite database: name another file, or move this one away")
  }
}

/// Identifies the files of an open database by device and number. ``SQLiteStore`` compares it
/// before each commit with that of the files which now have these names.
///
/// Another program can remove or replace the files while the database is open. What is written to
/// the old files after that is lost at a restart.
struct SQLiteIdentity: Sendable, Hashable {
  private let files: [File?]

  private struct File: Sendable, Hashable {
    let device: UInt64
    let number: UInt64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  /// - Parameter path: the path of an open database, beside which is its write-ahead log.
  init(of path: String) { files = [File(path), File(path + "-wal")] }
}

/// A lock of a file against other processes, which the system releases at the latest when this
/// process ends. ``SQLiteStore`` holds one while it is open.
final class FileLock: Sendable {
  private let file: Int32
  private let isReleased = Atomic(false)

  /// - Parameters:
  ///   - path: the path of the file that is locked, which is created if it does not exist.
  ///   - subject: what the lock protects.
  init(path: String, of subject: String) throws(JournalError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      let reason = SystemError.last.description
      throw JournalError(
        .unusable, "the journal \(subject) cannot be opened: \(path): \(reason); its folder must exist and be writable")
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw JournalError(
        .unusable,
        "the journal \(subject) is open in another process: stop it, or use another file. Several mirrors can share a journal in PostgreSQL"
      )
    }
  }

  deinit { release() }

  func release() {
    if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { close(file) }
  }
}
