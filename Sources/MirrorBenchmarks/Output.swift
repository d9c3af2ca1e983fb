#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum Output {
  static func write(_ bytes: [UInt8]) { put(bytes, on: STDOUT_FILENO) }

  /// Shows the current measurement on a line that the next one overwrites. Only if standard error is a terminal.
  static func progress(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { put(Array("\r\u{1B}[K\(text)".utf8), on: STDERR_FILENO) }
  }

  private static func put(_ bytes: [UInt8], on descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0) }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
