internal import MirrorSupport

/// A table from node numbers to small numbers, in chunks of 64. ``Document`` finds nodes by their
/// numbers with it, and `MountedCounters` count with it.
///
/// Node numbers only increase, and most of them are consecutive. A chunk without numbers is
/// removed, so the table's size depends on the numbers that it holds, not on the largest one.
/// Chunks are sorted: if no chunk is missing, a lookup computes the position, otherwise it is a
/// binary search. Nothing is hashed.
package struct NumberTable: Sendable {
  private struct Chunk: Sendable {
    /// The numbers of the chunk, shifted right by six bits.
    let key: Int
    /// A bit for each of the 64 numbers that is in the table.
    var present: UInt64 = 0
    var values = [Int32](repeating: 0, count: NumberTable.width)
  }

  private static let width = 64

  /// Ascending by key.
  private var chunks: [Chunk] = []
  /// How many numbers the table holds.
  package private(set) var count = 0

  /// An empty table.
  package init() {}

  /// The value of a number; `nil` if the table does not hold the number. Setting `nil` removes it.
  ///
  /// - Complexity: a lookup is O(1) if no chunk before it is missing, else O(log *numbers*). Adding
  ///   a chunk before others, or removing one, moves the chunks after it: 24 bytes for each.
  package subscript(number: Int) -> Int32? {
    get { chunkIndex(of: number).map { chunks[$0].values[number & 63] } }
    set {
      if let newValue { set(newValue, for: number) } else { _ = remove(number) }
    }
  }

  /// Whether the table holds a number.
  package func contains(_ number: Int) -> Bool { chunkIndex(of: number) != nil }

  /// All numbers of the table, ascending.
  package var numbers: [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    for chunk in chunks {
      for offset in 0..<Self.width where chunk.present & Self.bit(offset) != 0 {
        numbers.append(chunk.key << 6 | offset)
      }
    }
    return numbers
  }

  /// Adds one to the value of a number.
  ///
  /// - Returns: whether the table holds the number.
  package mutating func increment(_ number: Int) -> Bool {
    guard let index = chunkIndex(of: number) else { return false }
    chunks[index].values[number & 63] &+= 1
    return true
  }

  /// Removes a number.
  ///
  /// - Returns: whether the table held it.
  package mutating func remove(_ number: Int) -> Bool {
    guard let index = chunkIndex(of: number) else { return false }
    count -= 1
    chunks[index].present &= ~Self.bit(number)
    if chunks[index].present == 0 { chunks.remove(at: index) }
    return true
  }

  /// Sets many numbers to one value.
  package mutating func insert(_ numbers: [Int], value: Int32) {
    for number in numbers { set(value, for: number) }
  }

  /// Sets consecutive numbers, beginning with `first`, to the given values.
  package mutating func insert(_ values: [Int32], from first: Int) {
    chunks.reserveCapacity(chunks.count + values.count / Self.width + 2)
    for (offset, value) in values.enumerated() { set(value, for: first + offset) }
  }

  private mutating func set(_ value: Int32, for number: Int) {
    let index = insertionIndex(of: number >> 6)
    if index == chunks.count || chunks[index].key != number >> 6 {
      chunks.insert(Chunk(key: number >> 6), at: index)
    }
    if chunks[index].present & Self.bit(number) == 0 { count += 1 }
    chunks[index].present |= Self.bit(number)
    chunks[index].values[number & 63] = value
  }

  private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }

  // MARK: - Finding

  /// The index of the chunk with a number; `nil` if the table does not hold the number.
  private func chunkIndex(of number: Int) -> Int? {
    let index = insertionIndex(of: number >> 6)
    guard index < chunks.count, chunks[index].key == number >> 6, chunks[index].present & Self.bit(number) != 0 else {
      return nil
    }
    return index
  }

  /// The index of a chunk, or the index at which it would be inserted.
  private func insertionIndex(of key: Int) -> Int {
    guard let last = chunks.indices.last, key > chunks[0].key else { return 0 }
    // Most lookups are for the newest numbers, in the last chunk. A chunk's index is at most its
    // distance from the first key.
    if chunks[last].key <= key { return chunks[last].key == key ? last : chunks.count }
    let furthest = min(key - chunks[0].key, last)
    if chunks[furthest].key == key { return furthest }
    return chunks[..<furthest].partitioningIndex { $0.key >= key }
  }
}
