internal import MirrorSupport
internal import RenderedTree

extension LiveViews {
  /// An input of frames of which no frame was applied, and at least one was rejected. `GET /views`
  /// shows the last one, so that a feed with a wrong setup is found.
  package struct RejectedFeed: Sendable, Hashable {
    /// The time of the input, in milliseconds since 1970.
    package var at: Int64
    /// The number of frames of the input.
    package var frames: Int
    /// The number of rejected frames.
    package var rejected: Int
    /// The id of the view of the first rejected frame; `nil` if the frame could not be read or has
    /// no topic.
    package var view: String?
    /// The reason why the first rejected frame was rejected.
    package var reason: String

    /// - Returns: `nil` if the input was not rejected as a whole.
    init?(_ report: FramesReport, at time: Int64) {
      guard report.isAllRejected, let first = report.rejected.first else { return nil }
      (at, frames, rejected) = (time, report.frames, report.rejectedFrameCount)
      view = first.view?.beginning(WireMessage.longestText)
      reason = first.error.reason.beginning(WireMessage.longestText)
    }

    package init(at: Int64, frames: Int, rejected: Int, view: String?, reason: String) {
      (self.at, self.frames, self.rejected, self.view, self.reason) = (at, frames, rejected, view, reason)
    }
  }

  /// The last input of frames that was rejected as a whole, since the start; `nil` if there was
  /// none. Files that were imported do not count.
  package var lastRejectedFeed: RejectedFeed? { rejectedFeed.current }

  /// Keeps an input of ``end(_:)`` that was rejected as a whole.
  func noteIfRejected(_ report: FramesReport) {
    guard let feed = RejectedFeed(report, at: clock.now()) else { return }
    rejectedFeed.withLock { $0 = feed }
  }
}
