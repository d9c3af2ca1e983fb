import LiveViewMirror
import Testing

@Suite struct ChunksTests {
  @Test
  func `chunks grow like an array, and a copy stays unchanged`() {
    var (chunks, array) = (Chunks<Int>(), [Int]())
    var copies: [(chunks: Chunks<Int>, array: [Int])] = []
    for number in 0..<1_000 {
      chunks.append(number)
      array.append(number)
      if number % 97 == 0 { copies.append((chunks, array)) }
      if number % 31 == 0 {
        chunks[number / 2] = -number
        array[number / 2] = -number
      }
      #expect(chunks.count == array.count && chunks.last == array.last)
    }
    #expect(Array(chunks) == array)
    for copy in copies { #expect(Array(copy.chunks) == copy.array) }
    #expect(Array(chunks.suffix(130)) == array.suffix(130))
  }

  @Test
  func `removing the front keeps the indexes of the rest and all elements of copies`() {
    var (chunks, gone, copies) = (Chunks<Int>(), 0, [(Chunks<Int>, Range<Int>)]())
    for number in 0..<2_000 {
      chunks.append(number)
      if number % 89 == 0 { copies.append((chunks, gone..<number + 1)) }
      if number % 37 == 36 {
        let count = [1, 20, 127, 128, 129, 0, 300][number / 37 % 7]
        chunks.removeFirst(count)
        gone = min(gone + count, number + 1)
        #expect((chunks.startIndex, chunks.endIndex) == (gone, number + 1))
        #expect(Array(chunks) == Array(gone..<number + 1))
        #expect(chunks.indices.allSatisfy { chunks[$0] == $0 })
      }
    }
    for (copy, range) in copies { #expect(Array(copy) == Array(range)) }
  }
}
