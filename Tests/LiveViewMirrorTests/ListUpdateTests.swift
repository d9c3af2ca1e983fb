import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import Testing

/// A list that is reordered repeatedly. Each diff names only its entries, and the change set must
/// have the minimum of changes.
@Suite struct ListUpdateTests {
  /// An entry in the numbering of the wire: a new entry takes the number of an entry that was left
  /// out.
  private struct Entry: Hashable {
    var serial: Int
    var text: String
  }

  private var random: SplitMix
  private var entries: [Entry] = []
  private var nextSerial = 0

  private init(seed: UInt64) { random = SplitMix(state: seed) }

  init() { self.init(seed: 0) }

  private mutating func new() -> Entry {
    defer { nextSerial += 1 }
    return Entry(serial: nextSerial, text: "\(nextSerial)")
  }

  /// Reorders the entries.
  ///
  /// - Returns: the diff, and the number of changes that it needs.
  private mutating func turn() -> (keyed: String, changes: Int) {
    let old = entries
    var order: [Int?] = old.indices.map { $0 }
    for _ in 0...random.below(3) {
      switch random.below(6) {
      case 0: order.shuffle(using: &random)
      case 1 where order.count > 3: order.remove(at: random.below(order.count))
      case 2 where order.count > 3: order.removeLast(random.below(3))
      case 3: order.swapAt(random.below(order.count), random.below(order.count))
      case 4: order.append(order.remove(at: random.below(order.count)))
      default: order.insert(nil, at: random.below(order.count + 1))
      }
    }
    let kept = Set(order.compactMap { $0 })
    var members: [String] = []
    var (texts, added, sources): (Int, Int, [Int]) = (0, 0, [])
    entries = []
    for (index, source) in order.enumerated() {
      var entry = new()
      if let source {
        let isChanged = random.one(in: 4)
        let text = isChanged ? entry.text : old[source].text
        if isChanged { texts += 1 }
        entry = Entry(serial: old[source].serial, text: text)
        let inside = "{\"0\":\"\(text)\"}"
        switch (source == index, isChanged) {
        case (true, true): members.append("\"\(index)\":\(inside)")
        case (true, false): break
        case (false, true): members.append("\"\(index)\":[\(source),\(inside)]")
        case (false, false): members.append("\"\(index)\":\(source)")
        }
        sources.append(source)
      } else {
        members.append("\"\(index)\":{\"0\":\"\(entry.text)\"}")
        if index < old.count, !kept.contains(index) {
          entry.serial = old[index].serial
          texts += 1
          sources.append(index)
        } else {
          added += 1
        }
      }
      entries.append(entry)
    }
    members.append("\"kc\":\(order.count)")
    let removed = old.count - sources.count
    return (members.joined(separator: ","), texts + added + removed + sources.count - sources.longestRise)
  }

  @Test(arguments: 0..<40)
  func `random list updates equal full updates, between other elements or alone`(seed: UInt64) throws {
    var lists = Self(seed: seed)
    lists.entries = (0..<6).map { _ in lists.new() }
    let members = lists.entries.enumerated().map { "\"\($0)\":{\"0\":\"\($1.text)\"}" }.joined(separator: ",")
    let (left, right) = [("", ""), ("<li></li>", ""), ("", "<li></li>"), ("text <li></li>", " text")][Int(seed % 4)]
    let view = try LiveViewCoordinator.mounted(
      #"{"0":{"k":{\#(members),"kc":6},"s":["<li>","</li>"]},"s":["<ul>\#(left)","\#(right)</ul>"]}"#)
    let skipped = left.isEmpty ? 0 : left.hasPrefix("text") ? 2 : 1
    var nodes: [Int: NodeRef] = [:]
    for round in 0..<25 {
      let (keyed, count) = lists.turn()
      let record = try view.update("{\"0\":{\"k\":{\(keyed)}}}")
      let document = try #require(view.document)
      #expect(record.path == .scoped || (!left.isEmpty && left.hasPrefix("text")), "\(keyed) in round \(round)")
      #expect(record.changeSet.changes.count == count, "\(keyed) gives \(record.lines)")
      let items = lists.entries.map { "<li>\($0.text)</li>" }.joined()
      #expect(view.markup == "<ul>\(left)\(items)\(right)</ul>")
      #expect(document.checkInvariants() == [])
      let children = document.children(of: document.children(of: document.root)[0]).dropFirst(skipped)
      let now = Dictionary(zip(lists.entries.map(\.serial), children), uniquingKeysWith: { $1 })
      for (serial, node) in now { if let known = nodes[serial] { #expect(node == known, "\(keyed)") } }
      nodes = now
    }
  }
}
