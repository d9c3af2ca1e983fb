/// The nodes under each key, where nearly every key has one: an id, a component.
struct NodesByKey<Key: Hashable & Sendable>: Sendable {
  /// The node of each key that has a single one.
  private var single: [Key: Int] = [:]
  /// The nodes of each key that has several.
  private(set) var shared: [Key: Set<Int>] = [:]

  mutating func reserveCapacity(_ keys: Int) { single.reserveCapacity(keys) }

  var keys: Set<Key> { Set(single.keys).union(shared.keys) }

  var isEmpty: Bool { single.isEmpty && shared.isEmpty }

  func count(of key: Key) -> Int { single[key] != nil ? 1 : shared[key]?.count ?? 0 }

  /// The numbers of the nodes, in no order.
  func numbers(of key: Key) -> [Int] {
    if let number = single[key] { return [number] }
    return shared.isEmpty ? [] : shared[key].map(Array.init) ?? []
  }

  /// A key's node, where it has one and no other.
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

/// An id as it is compared: byte for byte. To a string's own `==`, "é" and "e" with a combining accent are the same.
struct IDKey: Hashable, Sendable {
  let id: String

  init(_ id: String) { self.id = id }

  static func == (a: IDKey, b: IDKey) -> Bool { a.id.hasSameBytes(as: b.id) }

  func hash(into hasher: inout Hasher) {
    var id = id
    id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
