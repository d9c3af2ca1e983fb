internal import MirrorSupport

/// The state of a long operation as one line of a terminal. ``ReplayOutput`` draws it.
///
///      41 % [===========>                 ]  41,000 of 100,000 frames
struct ProgressBar: Equatable {
  var done: Int
  let total: Int

  /// The control characters that move the cursor to the beginning of the line and erase the line.
  static let erasure = "\r\u{1B}[K"

  /// The line, without a line end. It is shorter than the terminal, so that it never wraps.
  ///
  /// - Parameter columns: the width of the terminal.
  func text(columns: Int) -> String {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let percent = "\(Int(share * 100))"
    let (start, end) = (
      String(repeating: " ", count: 3 - percent.count) + percent + " %",
      "\(Formatted.grouped(done)) of \(Formatted.grouped(total)) frames"
    )
    let room = min(60, columns - start.count - end.count - 6)
    guard room >= 8 else { return String("\(start)  \(end)".prefix(max(0, columns - 1))) }
    let filled = Int(share * Double(room))
    let head = filled < room ? ">" : ""
    let bar = String(repeating: "=", count: filled) + head + String(repeating: " ", count: room - filled - head.count)
    return "\(start) [\(bar)] \(end)"
  }
}
