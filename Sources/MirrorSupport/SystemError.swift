internal import CLibrary

/// An error of the operating system, with its number. ``SystemFile`` and ``ChildProcess`` throw it,
/// and so do the sockets of the server.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The `errno` of a system call.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The error of the last system call of this thread. It must be read before the next call.
  public static var last: SystemError { SystemError(code: errno) }
  public static let noSuchFile = SystemError(code: ENOENT)

  /// The text of the system, such as `No such file or directory`.
  public var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
