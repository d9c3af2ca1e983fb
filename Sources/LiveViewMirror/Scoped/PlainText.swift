// Text without markup, which is added to the document without a parser.

extension Sequence<UInt8> {
  /// Whether a parser makes one text of the bytes and changes none of them: they have no `<`, `&`, carriage return or NUL.
  var isPlainText: Bool {
    allSatisfy { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x0D && $0 != 0 }
  }
}

extension String {
  /// As for a sequence of bytes. Reads the string's contiguous storage if it has one.
  var isPlainText: Bool { utf8.withContiguousStorageIfAvailable(\.isPlainText) ?? utf8.isPlainText }
}
