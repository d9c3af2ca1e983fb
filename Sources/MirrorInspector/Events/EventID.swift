internal import LiveViewMirror

/// The id of an event: an epoch, and the position of the entry in the log of that epoch. ``Event``
/// has one, and ``LogRoutes`` reads and writes positions in the same form.
///
///     EventID("2.7")     // the mount (version 0) or the diff that made version 7, in epoch 2
///     EventID("2.7.1")   // the first entry that was rejected after it
///
/// The ids of a view increase with every event, also across remounts. A client that sends its last
/// id receives every later event once.
struct EventID: Sendable, Hashable, Comparable, CustomStringConvertible {
  var epoch: Int
  var cursor: ChangeLog.Cursor

  /// Before all entries that a view has: the id of `?after=0`.
  static let beginning = EventID(epoch: 0, cursor: ChangeLog.Cursor(version: 0))

  init(epoch: Int, cursor: ChangeLog.Cursor) {
    self.epoch = epoch
    self.cursor = cursor
  }

  init(_ entry: ChangeLog.Entry) { self.init(epoch: entry.epoch, cursor: entry.cursor) }

  /// The forms that ``init(_:in:)`` reads, for messages.
  static let forms = "VERSION, EPOCH.VERSION or EPOCH.VERSION.REJECTIONS"

  /// Parses one of the ``forms``, in which no number has a sign or leading zeros. The log and the
  /// event stream of a view read the same positions.
  ///
  /// - Parameter epoch: the epoch of the form `VERSION`, which does not name one.
  init?(_ text: String, in epoch: Int) {
    var numbers: [Int] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let number = Int(part), number >= 0, String(number) == part else { return nil }
      numbers.append(number)
    }
    if numbers.count == 1 { numbers.insert(epoch, at: 0) }
    guard numbers.count == 2 || numbers.count == 3, numbers[0] > 0 else { return nil }
    self.init(
      epoch: numbers[0],
      cursor: ChangeLog.Cursor(version: numbers[1], rejections: numbers.count == 3 ? numbers[2] : 0))
  }

  var description: String { self == .beginning ? "0" : "\(epoch).\(cursor)" }

  /// The shortest text of a position in the log of an epoch, which ``init(_:in:)`` reads: `7`, or
  /// `2.7.1` after a rejected input.
  static func positionText(_ cursor: ChangeLog.Cursor, in epoch: Int) -> String {
    cursor.rejections == 0 ? "\(cursor)" : "\(epoch).\(cursor)"
  }

  static func < (a: EventID, b: EventID) -> Bool { (a.epoch, a.cursor) < (b.epoch, b.cursor) }
}
