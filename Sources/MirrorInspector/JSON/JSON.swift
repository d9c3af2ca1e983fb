internal import MirrorSupport

/// A JSON value for a response. ``JSONWriter`` writes it.
///
/// Foundation's encoder cannot keep the order of members, and cannot pass on JSON unchanged (the diffs, events and replies of a
/// LiveView).
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
  /// Text that is already JSON.
  case text(String)

  /// The value as compact UTF-8, and a line feed.
  ///
  /// - Complexity: O(*output*). It recurses into arrays and objects, so their depth must be bounded.
  package var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// The value as compact JSON, without a line feed.
  package var text: String {
    var json = JSONWriter()
    write(to: &json)
    return json.text
  }

  private func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let bool): json.value(bool)
    case .integer(let integer): json.value(integer)
    case .string(let string): json.value(string)
    case .text(let text): json.value(json: text)
    case .array(let elements): json.array(elements) { json, element in element.write(to: &json) }
    case .object(let members):
      json.object { json in
        for (name, value) in members { json.member(named: name) { value.write(to: &$0) } }
      }
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

  package init(_ string: String?) { self = string.map(JSON.string) ?? .null }
  package init(_ integer: Int?) { self = integer.map(JSON.integer) ?? .null }
  /// Text that is already JSON; `null` for `nil`.
  package init(text: String?) { self = text.map(JSON.text) ?? .null }
}

extension JSONWriter {
  /// Writes the members `view`, `epoch` and `version`.
  mutating func version(_ version: Int, of view: String, epoch: Int) {
    member("view", view)
    member("epoch", epoch)
    member("version", version)
  }
}
