/// A multimap from keys (ids, components) to nodes, optimised for keys with a single node.
struct NodesByKey<Key: Hashable & Sendable>: Sendable {
  /// The node of each key that has exactly one.
  private var single: [Key: Int] = [:]
  /// The nodes of each key that has two or more.
  private(set) var shared: [Key: Set<Int>] = [:]

  mutating func reserveCapacity(_ keys: Int) { single.reserveCapacity(keys) }

  var keys: Set<Key> { Set(single.keys).union(shared.keys) }

  func count(of key: Key) -> Int { single[key] != nil ? 1 : shared[key]?.count ?? 0 }

  /// The numbers of a key's nodes, in no particular order.
  func numbers(of key: Key) -> [Int] {
    if let number = single[key] { return [number] }
    return shared.isEmpty ? [] : shared[key].map(Array.init) ?? []
  }

  /// The node of a key that has exactly one; otherwise `nil`.
  func only(of key: Key) -> Int? { single[key] }

  mutating func insert(_ number: Int, for key: Key) {
    if !shared.isEmpty, shared[key] != nil {
      shared[key]?.insert(number)
    } else if let known = single.updateValue(number, forKey: key), known != number {
      single[key] = nil
      shared[key] = [known, number]
    }
  }

  mutating func remove(_ number: Int, for key: Key) {
    if shared.isEmpty || shared[key] == nil {
      if single[key] == number { single[key] = nil }
      return
    }
    shared[key]?.remove(number)
    if let left = shared[key], left.count == 1, let last = left.first {
      shared[key] = nil
      single[key] = last
    }
  }
}
