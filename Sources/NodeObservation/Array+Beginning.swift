extension Array {
  /// Appends an element. Many lists stay at one, and an array of one is made faster than it grows to one.
  mutating func appendOrBegin(with element: Element) {
    if isEmpty, capacity == 0 { self = [element] } else { append(element) }
  }
}
