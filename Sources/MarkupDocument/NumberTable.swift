/// A small number for each of many node numbers, in chunks of 64.
///
/// Node numbers only grow and most come in runs. A chunk whose last number goes is gone too: the table is as large as what
/// it holds, however many numbers were ever given. The others stand in order, so one is found where it would stand if none
/// were missing before it, and else by halves: nothing is hashed.
package struct NumberTable: Sendable {
  private struct Chunk: Sendable {
    /// What its numbers are without their last six bits.
    let key: Int
    /// Which of the 64 are there.
    var present: UInt64 = 0
    var values = [Int32](repeating: 0, count: NumberTable.width)
  }

  private static let width = 64

  /// Ascending by their keys.
  private var chunks: [Chunk] = []
  package private(set) var count = 0

  package init() {}

  /// The value of a number. Setting `nil` takes the number out.
  ///
  /// - Complexity: to find it, O(1) where no numbers before it are missing, else O(log *numbers*). Where 64 numbers come
  ///   before others, or are all gone, those behind them are moved: 24 bytes for each 64.
  package subscript(number: Int) -> Int32? {
    get { place(of: number).map { chunks[$0].values[number & 63] } }
    set {
      if let newValue { set(newValue, for: number) } else { _ = remove(number) }
    }
  }

  package func contains(_ number: Int) -> Bool { place(of: number) != nil }

  /// All numbers that are there, ascending.
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

  /// Adds one to the value of a number that is there, and says whether it is.
  package mutating func increment(_ number: Int) -> Bool {
    guard let place = place(of: number) else { return false }
    chunks[place].values[number & 63] &+= 1
    return true
  }

  /// Takes a number out, and says whether it was there.
  package mutating func remove(_ number: Int) -> Bool {
    guard let place = place(of: number) else { return false }
    count -= 1
    chunks[place].present &= ~Self.bit(number)
    if chunks[place].present == 0 { chunks.remove(at: place) }
    return true
  }

  /// Takes in many numbers with one value.
  package mutating func insert(_ numbers: [Int], value: Int32) {
    for number in numbers { set(value, for: number) }
  }

  /// Gives consecutive numbers their values.
  package mutating func insert(_ values: [Int32], from first: Int) {
    chunks.reserveCapacity(chunks.count + values.count / Self.width + 2)
    for (offset, value) in values.enumerated() { set(value, for: first + offset) }
  }

  private mutating func set(_ value: Int32, for number: Int) {
    let place = position(of: number >> 6)
    if place == chunks.count || chunks[place].key != number >> 6 {
      chunks.insert(Chunk(key: number >> 6), at: place)
    }
    if chunks[place].present & Self.bit(number) == 0 { count += 1 }
    chunks[place].present |= Self.bit(number)
    chunks[place].values[number & 63] = value
  }

  private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }

  // MARK: - Finding

  /// Where the chunk of a number stands that is there.
  private func place(of number: Int) -> Int? {
    let place = position(of: number >> 6)
    guard place < chunks.count, chunks[place].key == number >> 6, chunks[place].present & Self.bit(number) != 0 else {
      return nil
    }
    return place
  }

  /// Where a chunk stands, or would.
  private func position(of key: Int) -> Int {
    guard let last = chunks.indices.last, key > chunks[0].key else { return 0 }
    // What is asked for most is new. What is not stands no further back than if no chunk were missing.
    if chunks[last].key <= key { return chunks[last].key == key ? last : chunks.count }
    let furthest = min(key - chunks[0].key, last)
    if chunks[furthest].key == key { return furthest }
    return chunks[..<furthest].partitioningIndex { $0.key >= key }
  }
}
