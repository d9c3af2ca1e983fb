extension Array {
  /// Appends an element. If the array is empty and has no capacity, it becomes an array literal,
  /// which allocates space for one element; `append` would allocate space for several. Most lists
  /// of an update have one element. Merges and evaluations build their lists with this method.
  @inlinable public mutating func appendOrBegin(with element: Element) {
    if isEmpty, capacity == 0 { self = [element] } else { append(element) }
  }
}
