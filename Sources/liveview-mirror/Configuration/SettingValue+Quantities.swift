/// Sizes and times, with their units.
extension SettingValue {
  /// Bytes: `16MiB`, `16MB` or `16000000`.
  static var size: Kind<Int> {
    Kind(
      hint: "is no size; write a number of bytes, or one with KB, MB, GB, KiB, MiB or GiB, such as 16MiB", fallback: 1,
      read: { quantity($0, units: sizes).flatMap { $0 > 0 ? $0 : nil } }, write: size(_:))
  }

  /// How long a view is kept: a time, or `nil` for ever.
  static var expiry: Kind<Duration?> {
    Kind(
      hint: "is no time; write one such as 30s, 15m, 2h or 1d, or never", fallback: nil,
      read: { text in
        if text.lowercased() == "never" { return .some(nil) }
        guard let seconds = seconds(text), seconds > 0 else { return nil }
        return .some(.seconds(seconds))
      }, write: { $0.map(time(_:)) ?? "never" })
  }

  static var grace: Kind<Duration> {
    Kind(
      hint: "is no time of an hour at most; write one such as 8s or 1m", fallback: .zero,
      read: { seconds($0).flatMap { $0 <= 3_600 ? .seconds($0) : nil } }, write: time(_:))
  }

  // MARK: - Units

  private static let sizes: [(name: String, factor: Int)] = [
    ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1_000), ("mb", 1_000_000), ("gb", 1_000_000_000),
    ("b", 1), ("", 1),
  ]

  private static let times: [(name: String, factor: Int)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]

  private static func seconds(_ text: String) -> Int? {
    // Ten years are for ever, and no sum of them overflows.
    quantity(text, units: times).flatMap { $0 <= 3_650 * 86_400 ? $0 : nil }
  }

  private static func quantity(_ text: String, units: [(name: String, factor: Int)]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text[digits.endIndex...].lowercased()
    guard let count: Int = number(digits), let factor = units.first(where: { $0.name == unit })?.factor else {
      return nil
    }
    let (product, overflows) = count.multipliedReportingOverflow(by: factor)
    return overflows ? nil : product
  }

  private static func size(_ bytes: Int) -> String {
    for (name, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes % (1 << shift) == 0 {
      return "\(bytes >> shift)\(name)"
    }
    return "\(bytes)B"
  }

  private static func time(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    for (name, factor) in times where seconds % factor == 0 && seconds >= factor { return "\(seconds / factor)\(name)" }
    return "\(seconds)s"
  }
}
