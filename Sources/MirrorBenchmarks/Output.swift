import CLibrary

enum Output {
  static func write(_ bytes: [UInt8]) { put(bytes, on: STDOUT_FILENO) }

  /// Shows the current measurement on a line that the next one overwrites. Only if standard error is a terminal.
  static func progress(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { put(Array("\r\u{1B}[K\(text)".utf8), on: STDERR_FILENO) }
  }

  private static func put(_ bytes: [UInt8], on descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
