/// A list that grows at its end and is cut at its front, stored in chunks. While another copy of
/// the list exists, the next `append` copies one chunk, not the whole list. A ``ChangeLog`` stores
/// its entries in chunks, because readers hold copies of the log while it grows.
///
/// When elements at the front are removed, the other elements keep their indexes, and
/// ``startIndex`` increases.
///
/// - Complexity: `append` is O(1). While a copy of the list exists, it is O(*width* + *chunks*).
package struct Chunks<Element: Sendable>: Sendable {
  private static var width: Int { 128 }

  /// All chunks except the first and the last are full. The first one begins at ``startIndex``, and
  /// ends at a multiple of ``width`` unless it is also the last.
  private var chunks: [[Element]] = []
  /// The index of the first element: the number of elements that were removed.
  package private(set) var startIndex = 0

  /// An empty list.
  package init() {}

  /// Adds an element at the end.
  package mutating func append(_ element: Element) {
    let end = endIndex
    if chunks.isEmpty || end % Self.width == 0 {
      chunks.append([])
      // The first chunk of a short list stays small. A later chunk will probably be filled.
      if end > 0 { chunks[chunks.count - 1].reserveCapacity(Self.width) }
    }
    chunks[chunks.count - 1].append(element)
  }

  /// Removes the first elements; all of them if there are fewer than `count`.
  package mutating func removeFirst(_ count: Int) {
    let start = Swift.min(startIndex + count, endIndex)
    let whole = chunks.isEmpty ? 0 : start / Self.width - startIndex / Self.width
    if whole > 0 {
      startIndex = (startIndex / Self.width + whole) * Self.width
      chunks.removeFirst(Swift.min(whole, chunks.count))
    }
    if start > startIndex {
      chunks[0].removeFirst(start - startIndex)
      if chunks[0].isEmpty { chunks.removeFirst() }
    }
    startIndex = start
  }
}

extension Chunks: RandomAccessCollection, MutableCollection {
  /// The index after the last element.
  package var endIndex: Int {
    guard let last = chunks.last else { return startIndex }
    if chunks.count == 1 { return startIndex + last.count }
    return (startIndex / Self.width + chunks.count - 1) * Self.width + last.count
  }

  /// The element at an index.
  package subscript(position: Int) -> Element {
    _read {
      let (chunk, offset) = location(of: position)
      yield chunks[chunk][offset]
    }
    _modify {
      let (chunk, offset) = location(of: position)
      yield &chunks[chunk][offset]
    }
  }

  private func location(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = position / Self.width - startIndex / Self.width
    return (chunk, chunk == 0 ? position - startIndex : position % Self.width)
  }
}
