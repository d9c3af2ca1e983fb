internal import MirrorSupport

extension HTML {
  /// The time since a moment: `just now`, `3 s ago`, `2 min ago`, `5 h ago`, `4 d ago`. The complete timestamp is in the attributes
  /// `datetime` and `title`. A moment more than 2 s in the future is shown as a timestamp: its clock differs.
  ///
  /// - Parameters:
  ///   - moment: in milliseconds since 1970, at most the year 9999: the decoder refuses later times.
  ///   - now: in milliseconds since 1970.
  static func ago(_ moment: Int64, now: Int64) -> HTML {
    let age = now - moment
    guard age > -2_000 else { return time(moment, withDate: true) }
    let text: HTML =
      switch age {
      case ..<2_000: "just now"
      case ..<60_000: "\(age / 1_000) s ago"
      case ..<3_600_000: "\(age / 60_000) min ago"
      case ..<86_400_000: "\(age / 3_600_000) h ago"
      default: "\(count(Int(age / 86_400_000))) d ago"
      }
    let timestamp = Timestamp.text(moment)
    return "<time datetime=\"\(timestamp)\" title=\"\(timestamp)\">\(text)</time>"
  }
}
