import LiveViewMirror

/// The frames of views that were never mounted. A file that was recorded too late has thousands of
/// them, for one reason: `replay` says it once for each view.
struct MissingJoins {
  /// The reason of each view, with the number of its frames, in the order of their first frames.
  private var reasons: [(text: String, frames: Int)] = []
  private var places: [String: Int] = [:]

  /// The number of views that are named. Any frame may name a view of its own.
  private static let listed = 20

  /// - Returns: whether the frame was rejected because its view is not mounted.
  mutating func note(_ rejected: LiveViews.FramesReport.Rejected) -> Bool {
    guard rejected.error.kind.isMissing else { return false }
    let text = rejected.error.reason
    if let place = places[text] {
      reasons[place].frames += 1
    } else {
      places[text] = reasons.count
      reasons.append((text, 1))
    }
    return true
  }

  /// One line for each view.
  var lines: [String] {
    var lines = reasons.prefix(Self.listed).map { "\(Terminal.line($0.text)) (\(Self.frameCountText($0.frames)))" }
    let others = reasons.dropFirst(Self.listed)
    if !others.isEmpty {
      let frames = others.reduce(0) { $0 + $1.frames }
      lines.append(
        "the joins of \(others.count) more view\(others.count == 1 ? " is" : "s are") missing (\(Self.frameCountText(frames)))"
      )
    }
    return lines
  }

  private static func frameCountText(_ frames: Int) -> String { "\(frames) frame\(frames == 1 ? "" : "s")" }
}
