extension String {
  /// The beginning of a text, of at most `bytes` bytes of UTF-8, without half a character. It
  /// shortens texts of LiveViews and users for findings, pages and errors.
  ///
  /// - Complexity: O(*bytes*).
  package func beginning(_ bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: bytes)
    // A position inside the bytes of a character does not exist in `unicodeScalars`.
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
