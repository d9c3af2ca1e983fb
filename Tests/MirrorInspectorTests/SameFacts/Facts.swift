/// Named values that were read from one form of an answer.
struct Facts {
  private(set) var values: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: some CustomStringConvertible) { values.append((name, value.description)) }
  mutating func add(_ name: String, _ value: Int?) { if let value { values.append((name, "\(value)")) } }
  mutating func add(_ name: String, _ value: String?) { if let value { values.append((name, value)) } }

  subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  func without(_ name: String) -> Facts {
    var facts = self
    facts.values.removeAll { $0.name == name }
    return facts
  }

  /// The values that differ from those of another form, or that only one of the forms has. A name
  /// that occurs more than once must have the same values in the same order.
  func differences(from other: Facts) -> [String] {
    let (own, others) = (byName, other.byName)
    return Set(own.keys).union(others.keys).sorted().compactMap { name in
      let (a, b) = (own[name] ?? [], others[name] ?? [])
      if a == b { return nil }
      let place = zip(a, b).firstIndex { $0 != $1 } ?? min(a.count, b.count)
      func value(_ values: [String]) -> String { values.indices.contains(place) ? values[place] : "absent" }
      return "\(name): \(value(a)), and in JSON \(value(b))"
    }
  }

  private var byName: [String: [String]] { Dictionary(grouping: values, by: \.name).mapValues { $0.map(\.value) } }
}

extension Sequence {
  /// The position of the first element that fulfils a condition.
  fileprivate func firstIndex(where isMatch: (Element) -> Bool) -> Int? { enumerated().first { isMatch($1) }?.offset }
}
