/// A list that only grows at its end, in chunks: who holds a copy of it costs the next `append` one chunk, and not the
/// whole list.
///
/// - Complexity: `append` is O(1); while a copy is held, O(*width*) and one word for each chunk.
package struct Chunks<Element: Sendable>: Sendable {
  private static var width: Int { 128 }

  private var chunks: [[Element]] = []

  package init() {}

  package mutating func append(_ element: Element) {
    if chunks.last.map({ $0.count == Self.width }) ?? true {
      chunks.append([])
      // The first chunk may stay small; every later one will be full.
      if chunks.count > 1 { chunks[chunks.count - 1].reserveCapacity(Self.width) }
    }
    chunks[chunks.count - 1].append(element)
  }
}

extension Chunks: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Element...) {
    for element in elements { append(element) }
  }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    guard let last = chunks.last else { return 0 }
    return (chunks.count - 1) * Self.width + last.count
  }

  package subscript(position: Int) -> Element {
    get { chunks[position / Self.width][position % Self.width] }
    _modify { yield &chunks[position / Self.width][position % Self.width] }
  }
}
