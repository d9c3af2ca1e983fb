import CMeasurement

/// Counts the instructions of the thread that makes the counter, if the machine can count them.
/// ``PageMeasurement`` has one.
struct InstructionCounter {
  private let counter = measurement_open_instructions()

  /// The number of instructions of `work`; `nil` if they cannot be counted.
  func count(_ work: () -> Void) -> Double? {
    guard counter >= 0 else {
      work()
      return nil
    }
    let before = measurement_instructions(counter)
    work()
    return Double(measurement_instructions(counter) - before)
  }
}

/// Counts allocations by a replaced `malloc` (`CMeasurement`), for ``PageMeasurement``. Calls must
/// not overlap, because the counting is on or off for the whole process.
enum Allocations {
  /// The number and the bytes of the allocations of `work` in all threads; `nil` if they cannot be
  /// counted.
  static func count(_ work: () -> Void) -> (number: Double, bytes: Double)? {
    guard measurement_counts_allocations() else {
      work()
      return nil
    }
    let (number, bytes) = (measurement_allocations(), measurement_allocated_bytes())
    measurement_count_allocations(true)
    work()
    measurement_count_allocations(false)
    return (Double(measurement_allocations() - number), Double(measurement_allocated_bytes() - bytes))
  }
}
