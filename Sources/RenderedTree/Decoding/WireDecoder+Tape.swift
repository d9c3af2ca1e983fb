extension WireDecoder {
  /// A parsed text. A value is named by the place of its first word.
  ///
  /// What a reader asks of every value is always inlined: it would not be from one file into another.
  struct Tape {
    let words: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>

    enum Kind { case object, array, string, integer, other }

    @inline(__always)
    func kind(_ value: Int) -> Kind {
      switch UInt8(words[value] >> 56) {
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "["): .array
      case UInt8(ascii: "\""): .string
      case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
      default: .other
      }
    }

    /// The place behind a value.
    @inline(__always)
    func end(_ value: Int) -> Int {
      let word = words[value]
      switch UInt8(word >> 56) {
      case UInt8(ascii: "{"), UInt8(ascii: "["): return Int(UInt32(truncatingIfNeeded: word))
      case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): return value + 2
      default: return value + 1
      }
    }

    func isNull(_ value: Int) -> Bool { UInt8(words[value] >> 56) == UInt8(ascii: "n") }
    func isTrue(_ value: Int) -> Bool { UInt8(words[value] >> 56) == UInt8(ascii: "t") }

    func bytes(_ string: Int) -> UnsafeBufferPointer<UInt8> {
      let start = strings + Int(words[string] & 0x00FF_FFFF_FFFF_FFFF)
      let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
      return UnsafeBufferPointer(start: start + 4, count: Int(count))
    }

    func string(_ value: Int) -> String? {
      kind(value) == .string ? String(decoding: bytes(value), as: UTF8.self) : nil
    }

    /// An integer of 64 bits with its sign; `nil` for the larger ones that simdjson reads as unsigned.
    func integer(_ value: Int) -> Int? {
      UInt8(words[value] >> 56) == UInt8(ascii: "l")
        ? Int(truncatingIfNeeded: Int64(bitPattern: words[value + 1])) : nil
    }

    /// A key that is a slot's number, or `nil`: digits alone, no leading zero.
    func index(_ key: Int) -> Int? {
      let digits = bytes(key)
      guard let first = digits.first, digits.count < 10, first != UInt8(ascii: "0") || digits.count == 1 else {
        return nil
      }
      var number = 0
      for digit in digits {
        guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
        number = number * 10 + Int(digit - UInt8(ascii: "0"))
      }
      return number
    }

    /// The value of the first member called `name`, or of the next one behind the value `previous`.
    func member(_ name: String, of object: Int, after previous: Int? = nil) -> Int? {
      guard kind(object) == .object else { return nil }
      let (count, first) = (name.utf8.count, name.utf8.first)
      var key = previous.map(end) ?? object + 1
      let stop = end(object) - 1
      while key < stop {
        let bytes = bytes(key)
        if bytes.count == count, bytes.first == first, bytes.elementsEqual(name.utf8) { return key + 1 }
        key = end(key + 1)
      }
      return nil
    }

    /// The members of an object, or the elements of an array: how many there are, up to 2²⁴ - 1.
    func count(_ container: Int) -> Int { Int(words[container] >> 32 & 0xFF_FFFF) }

    func elements(_ array: Int) -> Elements { Elements(tape: self, value: array + 1, stop: end(array) - 1) }

    struct Elements: Sequence, IteratorProtocol {
      fileprivate let tape: Tape
      fileprivate var value: Int
      fileprivate let stop: Int

      mutating func next() -> Int? {
        guard value < stop else { return nil }
        let element = value
        value = tape.end(element)
        return element
      }
    }

    /// The way from one value down to another inside of it. Nobody takes note of it on the way: it is for errors.
    ///
    /// - Complexity: O(*values beside the way*).
    func steps(from top: Int, to value: Int) -> [SlotPath.Step] {
      var steps: [SlotPath.Step] = []
      var here = top
      while here < value {
        var child = here + 1
        if kind(here) == .object {
          while end(child + 1) <= value { child = end(child + 1) }
          steps.append(index(child).map { .index($0) } ?? .key(String(decoding: bytes(child), as: UTF8.self)))
          here = child + 1
        } else {
          var position = 0
          while end(child) <= value {
            child = end(child)
            position += 1
          }
          steps.append(.index(position))
          here = child
        }
      }
      return steps
    }

    /// The value as compact JSON.
    func json(_ value: Int) -> JSONText {
      var output: [UInt8] = []
      write(value, to: &output)
      return JSONText(String(decoding: output, as: UTF8.self))
    }

    private func write(_ value: Int, to output: inout [UInt8]) {
      switch UInt8(words[value] >> 56) {
      case UInt8(ascii: "{"):
        output.append(UInt8(ascii: "{"))
        var key = value + 1
        let stop = end(value) - 1
        while key < stop {
          if key > value + 1 { output.append(UInt8(ascii: ",")) }
          JSONText.appendQuoted(bytes(key), to: &output)
          output.append(UInt8(ascii: ":"))
          write(key + 1, to: &output)
          key = end(key + 1)
        }
        output.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["):
        output.append(UInt8(ascii: "["))
        for (position, element) in elements(value).enumerated() {
          if position > 0 { output.append(UInt8(ascii: ",")) }
          write(element, to: &output)
        }
        output.append(UInt8(ascii: "]"))
      case UInt8(ascii: "\""): JSONText.appendQuoted(bytes(value), to: &output)
      case UInt8(ascii: "l"): output.append(contentsOf: String(Int64(bitPattern: words[value + 1])).utf8)
      case UInt8(ascii: "u"): output.append(contentsOf: String(words[value + 1]).utf8)
      case UInt8(ascii: "d"): output.append(contentsOf: String(Double(bitPattern: words[value + 1])).utf8)
      case UInt8(ascii: "t"): output.append(contentsOf: "true".utf8)
      case UInt8(ascii: "f"): output.append(contentsOf: "false".utf8)
      default: output.append(contentsOf: "null".utf8)
      }
    }
  }
}
