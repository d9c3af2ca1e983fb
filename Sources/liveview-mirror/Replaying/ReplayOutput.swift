import CLibrary

/// What `replay` prints, with a progress bar in the last line of the terminal.
///
/// The bar is on standard error, and only if that is a terminal. It appears if playing takes longer
/// than a moment, and is erased at the end. If standard output is a terminal too, the output is
/// collected while the bar is shown, and written when the bar is drawn again. Otherwise the bar
/// would be erased and drawn for every line. JSON on a terminal has no bar.
///
/// ``Replay`` must call ``finish()`` after the last frame, because some output may still be
/// collected.
final class ReplayOutput {
  /// The number of frames that were played.
  private(set) var frames = 0
  private let total: Int
  private let hasBar: Bool
  private let sharesTerminal = isatty(STDOUT_FILENO) == 1
  private var collected = ""
  private var isDrawn = false
  private var nextDrawing: ContinuousClock.Instant

  /// The time after which the bar appears.
  private static let patience = Duration.milliseconds(300)
  /// The time between two drawings.
  private static let interval = Duration.milliseconds(100)
  /// The number of bytes after which collected output is written at once.
  private static let mostCollected = 1 << 16

  init(frames total: Int, showsProgress: Bool, isJSON: Bool) {
    self.total = total
    let isDumb = getenv("TERM").map { String(cString: $0) } == "dumb"
    hasBar = showsProgress && isatty(STDERR_FILENO) == 1 && !isDumb && !(isJSON && sharesTerminal)
    nextDrawing = .now + Self.patience
  }

  /// Writes to standard output.
  func write(_ text: String) {
    guard isDrawn, sharesTerminal else { return Output.write(text) }
    collected += text
    if collected.utf8.count > Self.mostCollected { draw() }
  }

  /// Writes a line to standard error.
  func writeError(_ text: String) {
    erase()
    Output.error(text)
  }

  /// Notes that a frame was played.
  func advance() {
    frames += 1
    if hasBar, ContinuousClock.now >= nextDrawing { draw() }
  }

  /// Waits, and draws the bar meanwhile.
  func sleep(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while true {
      let now = ContinuousClock.now
      if now >= end { return }
      if hasBar, now >= nextDrawing { draw() }
      let next = hasBar ? min(end, max(nextDrawing, now + .milliseconds(1))) : end
      let (seconds, attoseconds) = (next - now).components
      var time = timespec(tv_sec: .init(seconds), tv_nsec: .init(attoseconds / 1_000_000_000))
      nanosleep(&time, nil)
    }
  }

  /// Erases the bar and writes the collected output.
  func finish() { erase() }

  private func draw() {
    erase()
    Output.write(ProgressBar(done: frames, total: total).text(columns: Self.columns), to: STDERR_FILENO)
    isDrawn = true
    nextDrawing = .now + Self.interval
  }

  private func erase() {
    if isDrawn { Output.write(ProgressBar.erasure, to: STDERR_FILENO) }
    isDrawn = false
    if !collected.isEmpty { Output.write(collected) }
    collected = ""
  }

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
