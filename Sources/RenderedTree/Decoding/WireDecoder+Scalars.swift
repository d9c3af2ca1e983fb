/// A JSON value. Arrays and objects stay JSON.
package enum JSONScalar: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case string(String)
  /// An array, an object, or a number that is not a signed 64-bit integer.
  case other(JSONText)
}

extension WireDecoder {
  /// Decodes a small object that is not an update, such as the body of a request.
  ///
  /// - Throws: ``WireError``, also if a key occurs twice: it would be unclear which value is meant.
  /// - Complexity: O(*bytes*).
  package func members(_ bytes: [UInt8]) throws(WireError) -> [String: JSONScalar] {
    try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      let tape = try parse(bytes)
      let object = Reader.top
      guard tape.kind(object) == .object else {
        throw .wrongShape(at: SlotPath(), reason: "expected an object")
      }
      var members: [String: JSONScalar] = [:]
      for (name, value) in tape.members(object) {
        guard members.updateValue(tape.scalar(value), forKey: name) == nil else {
          throw .wrongShape(at: SlotPath([.key(name)]), reason: "the key \"\(name)\" occurs twice in one object")
        }
      }
      return members
    }
  }

  /// Decodes an array of JSON that ``members(_:)`` has returned.
  ///
  /// - Returns: the elements; none if the text is not an array.
  /// - Complexity: O(*bytes*).
  package func elements(_ array: JSONText) -> [JSONScalar] {
    var text = array.text
    return text.withUTF8 { bytes in
      guard let tape = try? parse(bytes), tape.kind(Reader.top) == .array else { return [] }
      return tape.elements(Reader.top).map(tape.scalar)
    }
  }
}

extension WireDecoder.Tape {
  fileprivate func scalar(_ value: Int) -> JSONScalar {
    switch UInt8(words[value] >> 56) {
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"): .bool(true)
    case UInt8(ascii: "f"): .bool(false)
    default: integer(value).map(JSONScalar.integer) ?? string(value).map(JSONScalar.string) ?? .other(json(value))
    }
  }
}
