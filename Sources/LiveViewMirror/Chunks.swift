/// A list that grows at its end and is cut at its front, in chunks: who holds a copy of it costs the next `append` one
/// chunk, and not the whole list.
///
/// What is cut off leaves its position behind: the first element stands at ``startIndex``, and every other one where it
/// always stood.
///
/// - Complexity: `append` is O(1); while a copy is held, O(*width*) and one word for each chunk.
package struct Chunks<Element: Sendable>: Sendable {
  private static var width: Int { 128 }

  /// All but the first and the last one are full. The first begins at ``startIndex``, and ends where a chunk does.
  private var chunks: [[Element]] = []
  package private(set) var startIndex = 0

  package init() {}

  package mutating func append(_ element: Element) {
    let end = endIndex
    if chunks.isEmpty || end % Self.width == 0 {
      chunks.append([])
      // The first chunk may stay small; every later one will be full.
      if end > 0 { chunks[chunks.count - 1].reserveCapacity(Self.width) }
    }
    chunks[chunks.count - 1].append(element)
  }

  /// Lets the first elements go, all of them where there are no more.
  ///
  /// - Complexity: O(*count* + *width*), and one word for each chunk.
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
  package var endIndex: Int {
    guard let last = chunks.last else { return startIndex }
    if chunks.count == 1 { return startIndex + last.count }
    return (startIndex / Self.width + chunks.count - 1) * Self.width + last.count
  }

  package subscript(position: Int) -> Element {
    _read {
      let (chunk, place) = place(of: position)
      yield chunks[chunk][place]
    }
    _modify {
      let (chunk, place) = place(of: position)
      yield &chunks[chunk][place]
    }
  }

  private func place(of position: Int) -> (chunk: Int, place: Int) {
    let chunk = position / Self.width - startIndex / Self.width
    return (chunk, chunk == 0 ? position - startIndex : position % Self.width)
  }
}
