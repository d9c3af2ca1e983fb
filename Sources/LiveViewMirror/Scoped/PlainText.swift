// Text that says what it means, where text may stand: it needs no parser.

extension Sequence<UInt8> {
  /// Whether it is no markup, and a parser leaves it as it is.
  var isPlainText: Bool {
    allSatisfy { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x0D && $0 != 0 }
  }
}

extension String {
  /// The same, without asking for each byte.
  var isPlainText: Bool { utf8.withContiguousStorageIfAvailable(\.isPlainText) ?? utf8.isPlainText }
}
