extension Array {
  /// Appends an element. Most lists of an update stay at one, and one takes no more room than it needs.
  mutating func appendOrBegin(with element: Element) {
    if isEmpty { self = [element] } else { append(element) }
  }
}
