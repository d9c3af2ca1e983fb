internal import LiveViewClient

/// The mirror's answer to a batch of frames.
struct FeedReport: Sendable {
  /// Whether the mirror has a gap in its frames, or does not know a view, so that all views have to be joined again.
  let needsJoins: Bool

  init(_ body: [UInt8]) {
    let report = JSONSlice(body)
    let rejected = report["rejected"]?.elements ?? []
    needsJoins =
      (report["missing_frames"]?.integer ?? 0) > 0
      || rejected.contains { [404, 410].contains($0["problem"]?["status"]?.integer) }
  }

  /// The sentence of an RFC 9457 problem.
  static func detail(of body: [UInt8]) -> String? { JSONSlice(body)["detail"]?.string }
}
