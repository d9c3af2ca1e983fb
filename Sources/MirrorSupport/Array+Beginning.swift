extension Array {
  /// Appends an element. To an empty array without capacity it assigns an array literal, which
  /// allocates space for one element; `append` allocates space for several. Most lists of an update
  /// have one element. Merges and evaluations build their lists with it.
  @inlinable public mutating func appendOrBegin(with element: Element) {
    if isEmpty, capacity == 0 { self = [element] } else { append(element) }
  }
}
