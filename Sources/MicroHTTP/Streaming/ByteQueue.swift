/// Pieces of bytes that wait, in order, to be taken in other pieces.
///
/// Adding is amortised O(1); so is taking, for each byte: what has been taken stays in front until it is half of the
/// list, and then goes at once.
struct ByteQueue {
  private var pieces: [[UInt8]] = []
  /// The first piece that has not been taken whole, and how much of it has been.
  private var first = 0
  private var offset = 0
  /// How many bytes wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    pieces.append(bytes)
    count += bytes.count
  }

  /// Takes the rest of the first piece.
  mutating func takeFirst() -> [UInt8]? {
    guard count > 0 else { return nil }
    let piece = offset == 0 ? pieces[first] : Array(pieces[first][offset...])
    count -= piece.count
    dropFirst()
    return piece
  }

  /// Takes as many bytes as there is room for, of as many pieces as it takes.
  ///
  /// - Returns: how many.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while count > 0, filled < buffer.count {
      let taken = pieces[first].withUnsafeBytes { piece in
        let part = UnsafeRawBufferPointer(rebasing: piece[offset...].prefix(buffer.count - filled))
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: part)
        return part.count
      }
      filled += taken
      count -= taken
      offset += taken
      if offset == pieces[first].count { dropFirst() }
    }
    return filled
  }

  mutating func removeAll() { self = ByteQueue() }

  private mutating func dropFirst() {
    pieces[first] = []
    first += 1
    offset = 0
    if first * 2 >= pieces.count {
      pieces.removeFirst(first)
      first = 0
    }
  }
}
