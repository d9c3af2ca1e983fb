// Sizes and times, with their units.

extension SettingKind<Int> {
  /// Bytes: `16MiB`, `16MB` or `16000000`.
  static var size: Self {
    Self(
      "must be a number of bytes ≥ 1, alone or with KB, MB, GB, KiB, MiB or GiB, such as 16MiB", fallback: 1,
      read: { Quantity.size($0) }, write: { Quantity.text(ofSize: $0) })
  }
}

extension SettingKind<Duration?> {
  /// How long a view is kept: a time, or `nil` for ever.
  static var expiry: Self {
    Self(
      "must be a time such as 30s, 15m, 2h or 1d, or never", fallback: nil,
      read: { text in
        if text.lowercased() == "never" { return .some(nil) }
        guard let seconds = Quantity.seconds(text), seconds > 0 else { return nil }
        return .some(.seconds(seconds))
      }, write: { $0.map { Quantity.text(ofTime: $0) } ?? "never" })
  }
}

extension SettingKind<Duration> {
  static var grace: Self {
    Self(
      "must be a time of at most an hour, such as 8s or 1m", fallback: .zero,
      read: { Quantity.seconds($0).flatMap { $0 <= 3_600 ? .seconds($0) : nil } },
      write: { Quantity.text(ofTime: $0) })
  }
}

/// A number with a unit.
private enum Quantity {
  private static let sizes: [(name: String, factor: Int)] = [
    ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1_000), ("mb", 1_000_000), ("gb", 1_000_000_000),
    ("b", 1), ("", 1),
  ]

  private static let times: [(name: String, factor: Int)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]

  static func size(_ text: String) -> Int? { quantity(text, units: sizes).flatMap { $0 > 0 ? $0 : nil } }

  static func seconds(_ text: String) -> Int? {
    // At most ten years, so that no sum of times overflows.
    quantity(text, units: times).flatMap { $0 <= 3_650 * 86_400 ? $0 : nil }
  }

  private static func quantity(_ text: String, units: [(name: String, factor: Int)]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text[digits.endIndex...].lowercased()
    guard let count: Int = SettingText.number(digits), let factor = units.first(where: { $0.name == unit })?.factor
    else {
      return nil
    }
    let (product, overflows) = count.multipliedReportingOverflow(by: factor)
    return overflows ? nil : product
  }

  static func text(ofSize bytes: Int) -> String {
    for (name, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes % (1 << shift) == 0 {
      return "\(bytes >> shift)\(name)"
    }
    return "\(bytes)B"
  }

  static func text(ofTime duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    for (name, factor) in times where seconds % factor == 0 && seconds >= factor { return "\(seconds / factor)\(name)" }
    return "\(seconds)s"
  }
}
