import LiveViewMirror

/// The frames of a file that were rejected because their view was not mounted. A file that was
/// recorded too late has thousands of such frames. `replay` collects them here, and prints the
/// reason once for each view after the last frame.
struct MissingJoins {
  /// For each view whose join is missing, the reason and the number of rejected frames. The views
  /// are in the order of their first rejected frames.
  private var reasons: [(text: String, frames: Int)] = []
  private var places: [String: Int] = [:]

  /// The maximum number of views that ``lines`` names. Each frame of a file can name another
  /// view.
  private static let listed = 20

  /// Counts a frame if it was rejected because its view is not mounted. The caller reports every
  /// other rejected frame.
  ///
  /// - Returns: whether the frame was counted.
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

  /// A line for each of the first `listed` views, and one line for all further views together.
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
