import RecordingFixtures

extension RandomPage {
  /// The update with one wrong or unintended part.
  mutating func spoiled(_ json: JSON) -> JSON {
    switch json {
    case .object(var members) where !members.isEmpty:
      let place = random.below(members.count)
      switch random.below(6) {
      case 0: members.remove(at: place)
      case 1: members[place].0 = pick(["0", "7", "k", "s", "d", "kc", "c", "stream"])
      case 2: members[place].1 = JSON.string(pick(["spoiled", "<i>", ""]))
      case 3: members[place].1 = JSON.int(pick([0, 1, 99]))
      default: members[place].1 = spoiled(members[place].1)
      }
      return JSON.object(members)
    case .array(var values) where !values.isEmpty:
      let place = random.below(values.count)
      if random.one(in: 3) { values.remove(at: place) } else { values[place] = spoiled(values[place]) }
      return JSON.array(values)
    case .int(let number): return JSON.int(number + pick([-1, 1, 40]))
    default: return random.one(in: 2) ? JSON.int(2) : JSON.object([("s", JSON.array([JSON.string("<i>spoiled</i>")]))])
    }
  }
}
