extension Duration {
  /// In seconds with at most one fractional digit, such as `7.5 s`.
  package var rounded: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
