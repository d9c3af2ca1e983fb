import RecordingFixtures
import RenderedTree

/// Random mounts and diffs of every form, made for a given tree. A few do not fit the tree.
struct RandomDiffs {
  var random: SplitMix
  /// One diff in this many changes a slot that the template does not have.
  var spoiling = 60

  init(seed: UInt64) { random = SplitMix(state: seed) }

  // MARK: - Updates

  mutating func mount() -> String {
    let components = (1...3).map { "\"\($0)\":\(fragment(depth: 2))" }.joined(separator: ",")
    return #"{\#(slots(4, depth: 3)),"s":["<","|","|","|",">"],"c":{\#(components)}}"#
  }

  mutating func diff(for tree: Rendered) -> String {
    var members = changes(to: tree.root.slots, depth: 3)
    if !random.one(in: 3) {
      var components: [String] = []
      for cid in 1...5 where random.one(in: 3) { components.append("\"\(cid)\":\(component(cid, of: tree))") }
      members.append("\"c\":{\(components.joined(separator: ","))}")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func component(_ cid: Int, of tree: Rendered) -> String {
    if let known = tree.components[cid], random.one(in: 2) {
      return "{\(changes(to: known.slots, depth: 2).joined(separator: ","))}"
    }
    let source = tree.components.keys.sorted().randomElement(using: &random) ?? 1
    switch random.below(3) {
    case 0: return fragment(depth: 2)
    case 1:
      let changes = changes(to: tree.components[source]?.slots ?? [], depth: 2)
      return "{\((changes + ["\"s\":\(-source)"]).joined(separator: ","))}"
    default: return "{\"s\":\(random.below(6) + 1)}"
    }
  }

  // MARK: - Changes

  /// The changed slots as members of a JSON object.
  private mutating func changes(to slots: [Slot], depth: Int) -> [String] {
    var changes: [String] = []
    for (index, slot) in slots.enumerated() where random.one(in: 2) {
      changes.append("\"\(index)\":\(change(to: slot, depth: depth))")
    }
    if random.one(in: spoiling) { changes.append("\"99\":\"\"") }
    return changes
  }

  private mutating func change(to slot: Slot, depth: Int) -> String {
    if random.one(in: 4) { return value(depth: depth) }
    switch slot {
    case .text, .component: return random.one(in: 3) ? value(depth: depth) : text()
    case .fragment(let fragment): return "{\(changes(to: fragment.slots, depth: depth - 1).joined(separator: ","))}"
    case .comprehension(let list):
      let stream = random.one(in: 6) ? ",\(stream())" : ""
      return list.isKeyed
        ? "{\"k\":{\(keyed(list, depth: depth - 1))}\(stream)}" : "{\"d\":[\(rows(list, depth: depth - 1))]\(stream)}"
    }
  }

  /// Keyed entries: some of the old ones in another order, with new ones between them.
  private mutating func keyed(_ list: Comprehension, depth: Int) -> String {
    let count = list.entries.count
    var order = Array(0..<count).map(Optional.init)
    switch random.below(5) {
    case 0: order.shuffle(using: &random)
    case 1: order.reverse()
    case 2 where count > 1: order.swapAt(random.below(count), random.below(count))
    case 3 where count > 0: order.remove(at: random.below(count))
    default: break
    }
    for _ in 0..<random.below(3) { order.insert(nil, at: random.below(order.count + 1)) }
    if random.one(in: 6) { order = Array(order.prefix(random.below(3))) }
    var members: [String] = []
    for (index, source) in order.enumerated() {
      let isChanged = random.one(in: 3)
      if let source {
        let inside =
          isChanged ? "{\(changes(to: list.entries[source].slots, depth: depth).joined(separator: ","))}" : nil
        if source != index {
          members.append("\"\(index)\":" + (inside.map { "[\(source),\($0)]" } ?? "\(source)"))
        } else if let inside {
          members.append("\"\(index)\":\(inside)")
        }
      } else if index < count, random.one(in: 2) {
        members.append("\"\(index)\":{\(changes(to: list.entries[index].slots, depth: depth).joined(separator: ","))}")
      } else {
        members.append("\"\(index)\":{\(slots(list.statics.slotCount, depth: depth))}")
      }
    }
    members.shuffle(using: &random)
    return (members + ["\"kc\":\(order.count)"]).joined(separator: ",")
  }

  private mutating func rows(_ list: Comprehension, depth: Int) -> String {
    (0..<max(0, list.entries.count + random.below(4) - 2)).map { index in
      let slots = index < list.entries.count ? list.entries[index].slots : []
      let cells = (0..<list.statics.slotCount).map { slot in
        slot < slots.count && random.one(in: 2) ? change(to: slots[slot], depth: depth) : value(depth: depth)
      }
      return "[\(cells.joined(separator: ","))]"
    }.joined(separator: ",")
  }

  // MARK: - New values

  private mutating func text() -> String { "\"\(["", "a", "b", "c", "d"].randomElement(using: &random) ?? "")\"" }

  private mutating func value(depth: Int) -> String {
    if depth <= 0 { return text() }
    switch random.below(8) {
    case 0, 1: return fragment(depth: depth)
    case 2: return "\(random.below(3) + 1)"
    case 3, 4:
      let entries = (0..<random.below(5)).map { "\"\($0)\":{\(slots(2, depth: depth - 1))}" } + [""]
      let members = entries.dropLast() + ["\"kc\":\(entries.count - 1)"]
      let stream = random.one(in: 6) ? ",\(stream())" : ""
      return "{\"k\":{\(members.joined(separator: ","))},\"s\":[\"[\",\".\",\"]\"]\(stream)}"
    case 5:
      let rows = (0..<random.below(4)).map { _ in "[\(value(depth: depth - 1))]" }
      return "{\"d\":[\(rows.joined(separator: ","))],\"s\":[\"(\",\")\"]}"
    default: return text()
    }
  }

  private mutating func fragment(depth: Int) -> String {
    let count = random.below(3)
    let statics = (0...count).map { _ in "\"\(random.below(3))\"" }.joined(separator: ",")
    let members = count == 0 ? "" : "\(slots(count, depth: depth - 1)),"
    return "{\(members)\"s\":[\(statics)]\(random.one(in: 2) ? ",\"r\":1" : "")}"
  }

  private mutating func slots(_ count: Int, depth: Int) -> String {
    (0..<count).map { "\"\($0)\":\(value(depth: depth))" }.joined(separator: ",")
  }

  private mutating func stream() -> String {
    "\"stream\":[\"0\",[[\"i\(random.below(5))\",-1,null]],[\(random.one(in: 2) ? "\"i\(random.below(5))\"" : "")]]"
  }
}
