internal import MirrorSupport

/// A line for `POST /frames`: `{"at": ms, "sent": bool, "frame": […]}`.
enum FrameLine {
  /// - Parameters:
  ///   - frame: the frame as it was sent. Line feeds outside of strings become spaces.
  ///   - isSent: whether the client sent it; `nil` if this is not known.
  ///   - time: in milliseconds.
  static func bytes(_ frame: some Collection<UInt8>, isSent: Bool?, at time: Double?) -> [UInt8] {
    var line: [UInt8] = Array("{".utf8)
    if let time { line += "\"at\":\(time == time.rounded() ? String(Int64(time)) : String(time)),".utf8 }
    if let isSent { line += "\"sent\":\(isSent),".utf8 }
    line += "\"frame\":".utf8
    line += frame.lazy.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    line += "}\n".utf8
    return line
  }
}
