package import MirrorSupport

/// Decodes small values that are not updates. Routes use these functions for the bodies of
/// requests, and headlines use them for the values of events.
extension WireDecoder {
  /// Decodes an object. Arrays and objects in it stay JSON.
  ///
  /// - Throws: ``WireError``, also if a key occurs twice: it would be unclear which value is meant.
  /// - Complexity: O(*bytes*).
  package func members(_ bytes: [UInt8]) throws(WireError) -> [String: JSON] {
    try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      let tape = try parse(bytes)
      let object = Reader.top
      guard tape.kind(object) == .object else {
        throw .wrongShape(at: SlotPath(), reason: "expected an object")
      }
      var members: [String: JSON] = [:]
      for (name, value) in tape.members(object) {
        guard members.updateValue(tape.scalar(value), forKey: name) == nil else {
          throw .wrongShape(at: SlotPath([.key(name)]), reason: "the key \"\(name)\" occurs twice in one object")
        }
      }
      return members
    }
  }
}

extension JSON {
  /// Decodes a JSON text completely. If an object has a name twice, its last value is used, as in
  /// JavaScript.
  ///
  /// - Returns: `nil` for a text that is not JSON, or is nested deeper than
  ///   ``WireDecoder/maximumDepth``.
  /// - Complexity: O(*bytes*).
  package init?(parsing text: some Sequence<UInt8>) {
    let decoder = WireDecoder()
    let value: JSON? = Array(text).withUnsafeBufferPointer { bytes in
      (try? decoder.parse(bytes)).map { $0.tree(WireDecoder.Reader.top) }
    }
    guard let value else { return nil }
    self = value
  }

  package init?(parsing text: String) { self.init(parsing: text.utf8) }
}

extension WireDecoder.Tape {
  fileprivate func tree(_ value: Int) -> JSON {
    switch kind(value) {
    case .array: .array(elements(value).map(tree))
    case .object: .object(JSON.Members(members(value).lazy.map { ($0.name, tree($0.value)) }))
    case .string, .integer, .other: scalar(value)
    }
  }

  fileprivate func scalar(_ value: Int) -> JSON {
    if isNull(value) { return .null }
    if isTrue(value) || isFalse(value) { return .bool(isTrue(value)) }
    return integer(value).map(JSON.integer) ?? string(value).map(JSON.string) ?? .json(json(value).text)
  }
}
