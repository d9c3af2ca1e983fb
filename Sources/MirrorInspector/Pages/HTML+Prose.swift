extension HTML {
  /// A text in which code is between backquotes and emphasis between asterisks. A single backquote stays as it is.
  static func prose(_ text: String) -> HTML {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard parts.count % 2 == 1 else { return "\(text)" }
    return
      "\(parts.enumerated().map { index, part in index % 2 == 1 ? "<code>\(part)</code>" as HTML : emphasised(part) })"
  }

  private static func emphasised(_ text: String) -> HTML {
    let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    guard parts.count % 2 == 1 else { return "\(text)" }
    return "\(parts.enumerated().map { index, part in index % 2 == 1 ? "<em>\(part)</em>" as HTML : "\(part)" })"
  }
}
