import LiveViewMirror
import Testing

@Suite struct ChunksTests {
  @Test("it is an array that grows, and a copy of it stays as it was")
  func growing() {
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
}
