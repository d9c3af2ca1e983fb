internal import MirrorSupport

extension WireDecoder {
  /// The result of simdjson's parser: an array of 64-bit words, with the type of a value in the
  /// upper eight bits of its first word. A value is identified by the index of that word.
  /// ``Reader`` decodes values from a tape. The tape points into the buffers of its decoder, so it
  /// is valid until the decoder parses again or is released.
  ///
  /// `kind(_:)` and `end(_:)` are called for every value. They are marked for inlining, because the
  /// optimiser does not inline them across files by itself.
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

    /// The index of the word after a value.
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
    func isFalse(_ value: Int) -> Bool { UInt8(words[value] >> 56) == UInt8(ascii: "f") }

    func bytes(_ string: Int) -> UnsafeBufferPointer<UInt8> {
      let start = strings + Int(words[string] & 0x00FF_FFFF_FFFF_FFFF)
      let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
      return UnsafeBufferPointer(start: start + 4, count: Int(count))
    }

    func string(_ value: Int) -> String? {
      kind(value) == .string ? String(decoding: bytes(value), as: UTF8.self) : nil
    }

    /// A signed 64-bit integer; `nil` for larger integers, which simdjson parses as unsigned.
    func integer(_ value: Int) -> Int? {
      UInt8(words[value] >> 56) == UInt8(ascii: "l")
        ? Int(truncatingIfNeeded: Int64(bitPattern: words[value + 1])) : nil
    }

    /// A number of any kind.
    func number(_ value: Int) -> Double? {
      switch UInt8(words[value] >> 56) {
      case UInt8(ascii: "l"): Double(Int64(bitPattern: words[value + 1]))
      case UInt8(ascii: "u"): Double(words[value + 1])
      case UInt8(ascii: "d"): Double(bitPattern: words[value + 1])
      default: nil
      }
    }

    /// A string, a number or a boolean as the text that an attribute would have; `nil` for `null`
    /// and for containers.
    func text(_ value: Int) -> String? {
      if let string = string(value) { return string }
      switch kind(value) {
      case .object, .array: return nil
      default: return isNull(value) ? nil : json(value).text
      }
    }

    /// The members of an object, in order; empty for another value.
    func members(_ object: Int) -> [(name: String, value: Int)] {
      guard kind(object) == .object else { return [] }
      var members: [(name: String, value: Int)] = []
      var key = object + 1
      let stop = end(object) - 1
      while key < stop {
        members.append((String(decoding: bytes(key), as: UTF8.self), key + 1))
        key = end(key + 1)
      }
      return members
    }

    /// The index that a key denotes; `nil` for another key.
    func index(_ key: Int) -> Int? { DiffName.index(bytes(key)) }

    /// The value of the first member called `name`, or of the first one after the value `previous`.
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

    /// The number of members of an object or elements of an array, at most 2²⁴ - 1.
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

    /// The path from one value to another one inside of it. Computed only when needed, for errors
    /// and for the places of updates.
    ///
    /// - Complexity: O(*values beside the path*).
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

    /// The range of a value in the received text. It is found by scanning the text, because the
    /// tape has no positions.
    ///
    /// - Parameters:
    ///   - value: the value on the tape.
    ///   - outer: the value that contains it, or the same value.
    ///   - start: the byte offset of `outer` in `text`, or of the white space before it.
    ///   - text: the text from which the tape was parsed.
    /// - Complexity: O(*bytes before the end of the value*).
    func range(
      of value: Int, in outer: Int, at start: Int, of text: UnsafeBufferPointer<UInt8>
    ) -> Range<Int> {
      var scanner = JSONScanner(text, from: start)
      var here = outer
      while here < value {
        let isObject = kind(here) == .object
        scanner.take(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        var child = here + 1
        while true {
          if isObject {
            _ = scanner.name()
            child += 1
          } else {
            scanner.take(UInt8(ascii: ","))
          }
          if end(child) > value { break }
          child = end(child)
          scanner.value()
        }
        here = child
      }
      return scanner.value()
    }

    /// The value as compact JSON.
    func json(_ value: Int) -> JSONText {
      var json = JSONWriter()
      write(value, to: &json)
      return JSONText(json.text)
    }

    private func write(_ value: Int, to json: inout JSONWriter) {
      switch UInt8(words[value] >> 56) {
      case UInt8(ascii: "{"):
        json.object { json in
          var key = value + 1
          let stop = end(value) - 1
          while key < stop {
            json.member(named: bytes(key)) { write(key + 1, to: &$0) }
            key = end(key + 1)
          }
        }
      case UInt8(ascii: "["): json.array(elements(value)) { write($1, to: &$0) }
      case UInt8(ascii: "\""): json.value(utf8: bytes(value))
      case UInt8(ascii: "l"): json.value(json: String(Int64(bitPattern: words[value + 1])))
      case UInt8(ascii: "u"): json.value(json: String(words[value + 1]))
      case UInt8(ascii: "d"): json.value(json: String(Double(bitPattern: words[value + 1])))
      case UInt8(ascii: "t"): json.value(true)
      case UInt8(ascii: "f"): json.value(false)
      default: json.null()
      }
    }
  }
}
