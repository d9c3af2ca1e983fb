/// Decides when the frames of a file are played: the times between them are those of the recording,
/// divided by a factor. ``Replay`` asks it for the wait before each frame, in the order of the
/// file.
///
/// The parts of a file, such as the page loads of a HAR, are played one after the other. A part
/// begins at once when the part before it has ended.
struct RecordedPace {
  /// More than 0, which ``Replay`` has checked.
  let speed: Double
  /// The part that is played, with the time of its first frame and the instant when that frame was
  /// played.
  private var start: (part: Int, at: Double, instant: ContinuousClock.Instant)?

  init(speed: Double) { self.speed = speed }

  /// The longest wait in milliseconds: a year. A file may contain any time, and a speed may be
  /// tiny.
  private static let longest = 366 * 24 * 3_600_000.0

  /// - Parameters:
  ///   - at: the time of the frame in milliseconds; `nil` if it is not known.
  ///   - part: the index of the frame's part of the file.
  ///   - now: the present time.
  /// - Returns: how long to wait before the frame is played; `nil` to play it at once, because it
  ///   is the first frame of its part, its time is not known, or it is late.
  mutating func wait(before at: Double?, part: Int, now: ContinuousClock.Instant) -> Duration? {
    guard let at else { return nil }
    guard let start, start.part == part else {
      start = (part, at, now)
      return nil
    }
    let due = start.instant + .milliseconds(min(max(0, (at - start.at) / speed), Self.longest))
    return due > now ? due - now : nil
  }
}
