internal import MirrorSupport

/// A line for `POST /frames`: `{"at": ms, "sent": bool, "frame": […]}`.
enum FrameLine {
  /// - Parameters:
  ///   - frame: the frame as it was sent. Line feeds outside of strings become spaces.
  ///   - isSent: whether the client sent it; `nil` if this is not known.
  ///   - time: in milliseconds since 1970, as ``time(_:)`` returns it; `nil` if it is not known.
  static func bytes(_ frame: some Collection<UInt8>, isSent: Bool?, at time: Double?) -> [UInt8] {
    var line: [UInt8] = Array("{".utf8)
    if let time { line += "\"at\":\(time == time.rounded() ? String(Int64(time)) : String(time)),".utf8 }
    if let isSent { line += "\"sent\":\(isSent),".utf8 }
    line += "\"frame\":".utf8
    line += frame.lazy.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    line += "}\n".utf8
    return line
  }

  /// A time of a file, if a line may have it. The latest one is that of `Timestamp`: the year 9999. Another number, such as
  /// `1e300`, would not fit into the integers that are computed from it.
  ///
  /// - Returns: milliseconds since 1970, with one decimal place; `nil` for a time before 1970 or after 9999.
  static func time(_ milliseconds: Double) -> Double? {
    let time = (milliseconds * 10).rounded() / 10
    return (0..<253_402_300_800_000).contains(time) ? time : nil
  }
}
