/// A small number for each of many node numbers, in chunks of 64.
///
/// Node numbers only grow and most come in runs, so a chunk is found by one hash for all of its 64 numbers, and one whose
/// last number goes is gone too: the table is as large as what it holds, however many numbers were ever given.
package struct NumberTable: Sendable {
  private struct Chunk: Sendable {
    /// Which of the 64 are there.
    var present: UInt64 = 0
    var values = [Int32](repeating: 0, count: NumberTable.width)
  }

  private static let width = 64

  private var chunks: [Int: Chunk] = [:]
  package private(set) var count = 0

  package init() {}

  /// The value of a number. Setting `nil` takes the number out.
  package subscript(number: Int) -> Int32? {
    get {
      guard let chunk = chunks[number >> 6], chunk.present & Self.bit(number) != 0 else { return nil }
      return chunk.values[number & 63]
    }
    set {
      if let newValue { set(newValue, for: number) } else { _ = remove(number) }
    }
  }

  package func contains(_ number: Int) -> Bool { self[number] != nil }

  /// All numbers that are there, in no order.
  package var numbers: [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    for (key, chunk) in chunks {
      for offset in 0..<Self.width where chunk.present & Self.bit(offset) != 0 { numbers.append(key << 6 | offset) }
    }
    return numbers
  }

  /// Adds one to the value of a number that is there, and says whether it is.
  package mutating func increment(_ number: Int) -> Bool {
    guard let place = chunks.index(forKey: number >> 6), chunks.values[place].present & Self.bit(number) != 0 else {
      return false
    }
    chunks.values[place].values[number & 63] &+= 1
    return true
  }

  /// Takes a number out, and says whether it was there.
  package mutating func remove(_ number: Int) -> Bool {
    guard let place = chunks.index(forKey: number >> 6), chunks.values[place].present & Self.bit(number) != 0 else {
      return false
    }
    count -= 1
    chunks.values[place].present &= ~Self.bit(number)
    if chunks.values[place].present == 0 { chunks.remove(at: place) }
    return true
  }

  /// Takes in many numbers with one value. Fast where they come in runs.
  ///
  /// - Complexity: O(*numbers*), one hash for each run within a chunk.
  package mutating func insert(_ numbers: [Int], value: Int32) {
    var run = Run()
    for number in numbers { run.set(value, for: number, in: &self) }
    run.end(in: &self)
  }

  /// Gives consecutive numbers their values.
  package mutating func insert(_ values: [Int32], from first: Int) {
    chunks.reserveCapacity(chunks.count + values.count / Self.width + 2)
    var run = Run()
    for (offset, value) in values.enumerated() { run.set(value, for: first + offset, in: &self) }
    run.end(in: &self)
  }

  private mutating func set(_ value: Int32, for number: Int) {
    let isNew = Self.set(value, for: number, in: &chunks[number >> 6, default: Chunk()])
    if isNew { count += 1 }
  }

  private static func set(_ value: Int32, for number: Int, in chunk: inout Chunk) -> Bool {
    let isNew = chunk.present & bit(number) == 0
    chunk.present |= bit(number)
    chunk.values[number & 63] = value
    return isNew
  }

  private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }

  /// The chunk at hand, out of the table while numbers of it come.
  private struct Run {
    private var key: Int?
    private var chunk = Chunk()

    mutating func set(_ value: Int32, for number: Int, in table: inout NumberTable) {
      if key != number >> 6 {
        end(in: &table)
        key = number >> 6
        chunk = table.chunks.removeValue(forKey: number >> 6) ?? Chunk()
      }
      if NumberTable.set(value, for: number, in: &chunk) { table.count += 1 }
    }

    mutating func end(in table: inout NumberTable) {
      if let key { table.chunks[key] = chunk }
      key = nil
    }
  }
}
