internal import RenderedTree

/// The bytes of a ``JSONWriter``, with room behind them, so that a member is written in one go.
///
/// Memory of its own and no array, which would ask with every member whether somebody else has it too. What a member begins
/// with is always inlined: its name is known then, and is not copied in a loop.
struct JSONBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// What stands behind means nothing.
  private var end = 0
  /// How many bytes the longest number has, its sign among them.
  private static let longestInteger = 20

  init(room: Int) {
    start = .allocate(capacity: room)
    capacity = room
  }

  deinit { start.deallocate() }

  /// What was written, without the comma behind it.
  var whole: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: endsWithComma ? end - 1 : end) }

  private var endsWithComma: Bool { end > 0 && start[end - 1] == UInt8(ascii: ",") }

  // MARK: - Bytes

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    write(1) { $0.put(byte) }
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    write(text.utf8CodeUnitCount) { $0.put(text) }
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { text in write(text.count) { $0.put(text) } }
  }

  // MARK: - JSON

  mutating func append(_ integer: Int) {
    write(Self.longestInteger + 1) {
      $0.put(integer)
      $0.put(UInt8(ascii: ","))
    }
  }

  mutating func append(quoted string: String, then byte: UInt8) {
    let isPlain = string.utf8.withContiguousStorageIfAvailable { string in
      guard JSONText.plainCount(string) == string.count else { return false }
      write(string.count + 3) {
        $0.put(UInt8(ascii: "\""))
        $0.put(string)
        $0.put(UInt8(ascii: "\""))
        $0.put(byte)
      }
      return true
    }
    if isPlain != true { append(escaping: string, then: byte) }
  }

  @inline(never)
  private mutating func append(escaping string: String, then byte: UInt8) {
    var string = string
    string.withUTF8 { text in
      append(UInt8(ascii: "\""))
      var start = 0
      while true {
        let end = start + JSONText.plainCount(UnsafeBufferPointer(rebasing: text[start...]))
        let plain = UnsafeBufferPointer(rebasing: text[start..<end])
        write(plain.count + JSONText.longestEscape) {
          $0.put(plain)
          if end < text.count { $0.putEscape(of: text[end]) }
        }
        if end == text.count { break }
        start = end + 1
      }
      write(2) {
        $0.put(UInt8(ascii: "\""))
        $0.put(byte)
      }
    }
  }

  /// `"name":`. Names stand in the source, and have nothing to escape.
  @inline(__always)
  mutating func append(name: StaticString) {
    write(name.utf8CodeUnitCount + 3) { $0.put(name: name) }
  }

  @inline(__always)
  mutating func append(name: StaticString, _ integer: Int) {
    write(name.utf8CodeUnitCount + 4 + Self.longestInteger) {
      $0.put(name: name)
      $0.put(integer)
      $0.put(UInt8(ascii: ","))
    }
  }

  @inline(__always)
  mutating func append(name: StaticString, word: StaticString) {
    write(name.utf8CodeUnitCount + word.utf8CodeUnitCount + 6) {
      $0.put(name: name)
      $0.put(UInt8(ascii: "\""))
      $0.put(word)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ","))
    }
  }

  mutating func append(name: StaticString, at milliseconds: Int64) {
    write(name.utf8CodeUnitCount + Timestamp.length + 6) {
      $0.put(name: name)
      $0.put(UInt8(ascii: "\""))
      $0.put(at: milliseconds)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ","))
    }
  }

  /// Ends an object or array, with a comma behind it.
  @inline(__always)
  mutating func close(_ bracket: UInt8) {
    if endsWithComma { end -= 1 }
    write(2) {
      $0.put(bracket)
      $0.put(UInt8(ascii: ","))
    }
  }

  // MARK: - Room

  /// Where to write, with room for what was asked for.
  private struct Room {
    var next: UnsafeMutablePointer<UInt8>

    @inline(__always)
    mutating func put(_ byte: UInt8) {
      next.pointee = byte
      next += 1
    }

    @inline(__always)
    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
      guard let start = text.baseAddress else { return }
      next.update(from: start, count: text.count)
      next += text.count
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
      next.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
      next += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func put(name: StaticString) {
      put(UInt8(ascii: "\""))
      put(name)
      put(UInt8(ascii: "\""))
      put(UInt8(ascii: ":"))
    }

    mutating func putEscape(of byte: UInt8) {
      next += JSONText.writeEscape(
        of: byte, to: UnsafeMutableBufferPointer(start: next, count: JSONText.longestEscape))
    }

    @inline(__always)
    mutating func put(_ integer: Int) {
      next += JSONText.write(integer, to: UnsafeMutableBufferPointer(start: next, count: JSONBuffer.longestInteger))
    }

    @inline(__always)
    mutating func put(at milliseconds: Int64) {
      Timestamp.write(milliseconds, to: UnsafeMutableBufferPointer(start: next, count: Timestamp.length))
      next += Timestamp.length
    }
  }

  /// Writes `count` bytes at most.
  @inline(__always)
  private mutating func write(_ count: Int, _ body: (inout Room) -> Void) {
    if capacity &- end < count { grow(by: count) }
    var room = Room(next: start + end)
    body(&room)
    assert(room.next - start <= end + count, "More was written than was asked for")
    end = room.next - start
  }

  @inline(never)
  private mutating func grow(by count: Int) {
    capacity = max(capacity * 2, end + count)
    let longer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    longer.update(from: start, count: end)
    start.deallocate()
    start = longer
  }
}
