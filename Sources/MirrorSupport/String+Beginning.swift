extension String {
  /// The beginning of the text, with at most `bytes` bytes of UTF-8. It never ends inside a Unicode
  /// scalar. Findings, pages and errors use it to shorten texts of LiveViews and users.
  ///
  /// - Complexity: O(*bytes*).
  package func beginning(_ bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: bytes)
    // A position inside the bytes of a scalar does not exist in `unicodeScalars`.
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
