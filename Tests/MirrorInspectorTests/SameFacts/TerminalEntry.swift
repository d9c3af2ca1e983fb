/// The lines of one entry of the log for a terminal.
struct TerminalEntry {
  private(set) var version: Int?
  private(set) var bytes: Int?
  /// The event, or `mount` or `server`.
  private(set) var cause: String?
  private(set) var latency: String?
  private(set) var changeCount: Int?
  private(set) var observers: Int?
  private(set) var allObserverCount: Int?
  /// The number of nodes that a mount added.
  private(set) var nodes: Int?
  private(set) var time: Int?
  /// The reason for a full update.
  private(set) var detour: String?
  private(set) var rejection: String?
  /// The lines of the changes, of the subscriber calls and of the diagnostics.
  private(set) var changes: [String] = []
  private(set) var isolation: [String] = []
  private(set) var diagnostics: [String] = []
  private(set) var waste: (bytes: String, slots: String)?
  /// The slot, the sent entries, all entries, and the bytes of each list that was sent again.
  private(set) var shiftedLists: [String] = []
  private(set) var moreShiftedLists: String?
  private(set) var title: String?
  private(set) var events: String?
  private(set) var reply: String?
  /// The lines of the explanation.
  private(set) var explanation: [String] = []

  /// The place in a rejection, as a JSON pointer.
  var pointer: String? { rejection?.prefixMatch(of: #/at (\/\S*): /#).map { String($0.1) } }

  /// The entries of a log.
  static func entries(_ lines: [String], of view: String) -> [TerminalEntry] {
    var starts = lines.indices.filter { lines[$0].hasPrefix("\(view) ") }
    starts.append(lines.endIndex)
    return zip(starts, starts.dropFirst()).map { TerminalEntry(lines[$0..<$1].filter { !$0.isEmpty }, of: view) }
  }

  init(_ lines: [String], of view: String) {
    read(headline: String(lines[0].dropFirst(view.count + 1)))
    for line in lines.dropFirst() { read(line) }
  }

  /// The value of `1,234`.
  private static func number(_ text: Substring) -> Int? { Int(text.replacing(",", with: "")) }

  private mutating func read(headline: String) {
    if let match = headline.wholeMatch(of: /! rejected  ([\d,]+) B  (.*)  \(still v(\d+)\)/) {
      (bytes, rejection, version) = (Self.number(match.1), String(match.2), Self.number(match.3))
    } else if let match = headline.wholeMatch(
      of: /v(\d+)  ([\d,]+) B  mounted ([\d,]+) nodes?, ([\d,]+) subscribers?  ([\d,]+) µs/)
    {
      (version, bytes, nodes, allObserverCount, time) = (
        Self.number(match.1), Self.number(match.2), Self.number(match.3), Self.number(match.4), Self.number(match.5)
      )
      cause = "mount"
    } else if let match = headline.wholeMatch(
      of:
        /v(\d+)  ([\d,]+) B  (?:(.+) → )?([\d,]+) nodes? changed(?:, ([\d.]+) ms)?, ([\d,]+) subscribers? notified \(whole document: ([\d,]+)\)  ([\d,]+) µs(?:  full: (.*))?/
    ) {
      (version, bytes, cause, changeCount) = (
        Self.number(match.1), Self.number(match.2), match.3.map(String.init), Self.number(match.4)
      )
      (latency, observers, allObserverCount, time) = (
        match.5.map(String.init), Self.number(match.6), Self.number(match.7), Self.number(match.8)
      )
      detour = match.9.map(String.init)
      cause = cause ?? "server"
    }
  }

  private mutating func read(_ line: String) {
    if !explanation.isEmpty || ["diff  ", "rendered  "].contains(where: line.hasPrefix) {
      return explanation.append(line)
    }
    if ["~ ", "+ ", "- ", "⇄ "].contains(where: line.hasPrefix) { return changes.append(line) }
    if line.hasPrefix("! ") { return diagnostics.append(String(line.dropFirst(2))) }
    if line.contains(" B without effect: "), let match = line.wholeMatch(of: #/  ([\d,]+) B without effect: (.*)/#) {
      waste = ("\(match.1) B", String(match.2))
    } else if let match = line.wholeMatch(
      of:
        #/  list in slot (\S+) sent again: (\d+) of (\d+) entr(?:y|ies) w.* at another position, ([\d,]+) B \(unkeyed-list\)/#
    ) {
      shiftedLists.append("\(match.1) | \(match.2) | \(match.3) | \(match.4)")
    } else if let match = line.wholeMatch(of: #/  (\d+) more lists? with shifted entries/#) {
      moreShiftedLists = String(match.1)
    } else if line.hasPrefix("  title ") {
      title = String(line.dropFirst(8))
    } else if line.hasPrefix("  events ") {
      events = String(line.dropFirst(9))
    } else if line.hasPrefix("  reply ") {
      reply = String(line.dropFirst(8))
    } else {
      isolation.append(line)
    }
  }
}
