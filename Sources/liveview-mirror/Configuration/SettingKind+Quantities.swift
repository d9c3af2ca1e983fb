internal import MirrorSupport

extension SettingKind<Int> {
  /// Bytes: `16MiB`, `16MB` or `16000000`.
  static var size: Self {
    Self(
      "must be a number of bytes ≥ 1, alone or with KB, MB, GB, KiB, MiB or GiB, such as 16MiB", fallback: 1,
      read: { Quantity.bytes($0).flatMap { $0 > 0 ? $0 : nil } }, write: { Quantity.text(ofBytes: $0) })
  }
}

extension SettingKind<Duration?> {
  /// How long a view is kept: a time, or `nil` for ever.
  static var expiry: Self {
    Self(
      "\(Quantity.timeExpectation), or never", fallback: nil,
      read: { text in
        if text.lowercased() == "never" { return .some(nil) }
        guard let time = Quantity.time(text), time > .zero else { return nil }
        return .some(time)
      }, write: { $0.map { Quantity.text(of: $0) } ?? "never" })
  }
}

extension SettingKind<Duration> {
  static var grace: Self {
    Self(
      "must be a time of at most an hour with a unit, such as 500ms, 8s or 1m", fallback: .zero,
      read: { Quantity.time($0).flatMap { $0 <= .seconds(3_600) ? $0 : nil } }, write: { Quantity.text(of: $0) })
  }
}
