/// The bytes of a ``JSONWriter``, and spare capacity. The capacity is checked once for each write
/// of several bytes, such as a member, and not for each byte.
///
/// The buffer has memory of its own, because an array checks at each append whether it is shared.
/// The functions that write the name of a member are inlined into their callers. In a caller, the
/// name is a constant, so it is copied without a loop.
@usableFromInline struct JSONBuffer: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// The number of bytes written.
  @usableFromInline var end = 0
  /// The number of bytes of the longest integer, with its sign.
  @usableFromInline static var longestInteger: Int { 20 }

  @usableFromInline init(room: Int) {
    start = .allocate(capacity: room)
    capacity = room
  }

  @inlinable deinit { start.deallocate() }

  /// The bytes written, without the last comma.
  @usableFromInline var whole: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: endsWithComma ? end - 1 : end)
  }

  @usableFromInline var endsWithComma: Bool { end > 0 && start[end - 1] == UInt8(ascii: ",") }

  // MARK: - Bytes

  @inlinable @inline(__always)
  mutating func append(_ byte: UInt8) {
    write(1) { $0.put(byte) }
  }

  @inlinable @inline(__always)
  mutating func append(_ text: StaticString) {
    write(text.utf8CodeUnitCount) { $0.put(text) }
  }

  @usableFromInline mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { text in write(text.count) { $0.put(text) } }
  }

  // MARK: - JSON

  @usableFromInline mutating func append(_ integer: Int) {
    write(Self.longestInteger + 1) {
      $0.put(integer)
      $0.put(UInt8(ascii: ","))
    }
  }

  @usableFromInline mutating func append(quoted string: String, then byte: UInt8) {
    var string = string
    string.withUTF8 { append(quoted: $0, then: byte) }
  }

  @usableFromInline mutating func append(quoted text: UnsafeBufferPointer<UInt8>, then byte: UInt8) {
    guard JSONSyntax.plainCount(text) == text.count else { return append(escaping: text, then: byte) }
    write(text.count + 3) {
      $0.put(UInt8(ascii: "\""))
      $0.put(text)
      $0.put(UInt8(ascii: "\""))
      $0.put(byte)
    }
  }

  @inline(never)
  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>, then byte: UInt8) {
    append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = start + JSONSyntax.plainCount(UnsafeBufferPointer(rebasing: text[start...]))
      let plain = UnsafeBufferPointer(rebasing: text[start..<end])
      write(plain.count + JSONSyntax.longestEscape) {
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

  /// `"7":`.
  @usableFromInline mutating func append(number: Int) {
    write(Self.longestInteger + 3) {
      $0.put(UInt8(ascii: "\""))
      $0.put(number)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ":"))
    }
  }

  /// `"name":`. The name is a constant in the source that needs no escapes.
  @inlinable @inline(__always)
  mutating func append(name: StaticString) {
    write(name.utf8CodeUnitCount + 3) { $0.put(name: name) }
  }

  @inlinable @inline(__always)
  mutating func append(name: StaticString, _ integer: Int) {
    write(name.utf8CodeUnitCount + 4 + Self.longestInteger) {
      $0.put(name: name)
      $0.put(integer)
      $0.put(UInt8(ascii: ","))
    }
  }

  @inlinable @inline(__always)
  mutating func append(name: StaticString, word: StaticString) {
    write(name.utf8CodeUnitCount + word.utf8CodeUnitCount + 6) {
      $0.put(name: name)
      $0.put(UInt8(ascii: "\""))
      $0.put(word)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ","))
    }
  }

  @usableFromInline mutating func append(name: StaticString, at milliseconds: Int64) {
    write(name.utf8CodeUnitCount + Timestamp.length + 6) {
      $0.put(name: name)
      $0.put(UInt8(ascii: "\""))
      $0.put(at: milliseconds)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ","))
    }
  }

  /// Ends an object or array: removes the comma after its last member or element, and writes the
  /// bracket and a comma.
  @inlinable @inline(__always)
  mutating func close(_ bracket: UInt8) {
    if endsWithComma { end -= 1 }
    write(2) {
      $0.put(bracket)
      $0.put(UInt8(ascii: ","))
    }
  }

  // MARK: - Capacity

  /// A position in the buffer with enough capacity for the bytes to write.
  @usableFromInline struct Room {
    @usableFromInline var next: UnsafeMutablePointer<UInt8>

    @usableFromInline init(next: UnsafeMutablePointer<UInt8>) { self.next = next }

    @inlinable @inline(__always)
    mutating func put(_ byte: UInt8) {
      next.pointee = byte
      next += 1
    }

    @inlinable @inline(__always)
    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
      guard let start = text.baseAddress else { return }
      next.update(from: start, count: text.count)
      next += text.count
    }

    @inlinable @inline(__always)
    mutating func put(_ text: StaticString) {
      next.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
      next += text.utf8CodeUnitCount
    }

    @inlinable @inline(__always)
    mutating func put(name: StaticString) {
      put(UInt8(ascii: "\""))
      put(name)
      put(UInt8(ascii: "\""))
      put(UInt8(ascii: ":"))
    }

    @usableFromInline mutating func putEscape(of byte: UInt8) {
      next += JSONSyntax.writeEscape(
        of: byte, to: UnsafeMutableBufferPointer(start: next, count: JSONSyntax.longestEscape))
    }

    @usableFromInline mutating func put(_ integer: Int) {
      next += JSONSyntax.write(integer, to: UnsafeMutableBufferPointer(start: next, count: JSONBuffer.longestInteger))
    }

    @usableFromInline mutating func put(at milliseconds: Int64) {
      Timestamp.write(milliseconds, to: UnsafeMutableBufferPointer(start: next, count: Timestamp.length))
      next += Timestamp.length
    }
  }

  /// Ensures that `count` more bytes fit, and runs `body`, which writes at most `count` bytes.
  @inlinable @inline(__always)
  mutating func write(_ count: Int, _ body: (inout Room) -> Void) {
    if capacity &- end < count { grow(by: count) }
    var room = Room(next: start + end)
    body(&room)
    assert(room.next - start <= end + count, "More was written than was asked for")
    end = room.next - start
  }

  @inline(never)
  @usableFromInline mutating func grow(by count: Int) {
    capacity = max(capacity * 2, end + count)
    let longer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    longer.update(from: start, count: end)
    start.deallocate()
    start = longer
  }
}
