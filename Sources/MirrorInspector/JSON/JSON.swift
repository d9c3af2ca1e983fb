internal import RenderedTree

/// A JSON value on its way out. Members keep the order in which they are given, which is the order people read them in.
///
/// Written by hand, because two things are wanted that an encoder does not give: that order, and JSON that is passed on
/// as it came (the diffs, events and replies of a LiveView).
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
  /// Text that is JSON already.
  case text(String)

  /// The value as compact UTF-8.
  ///
  /// - Complexity: O(*output*). It descends into arrays and objects: what is given must not nest without bound.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(1_024)
    write(to: &output)
    output.append(UInt8(ascii: "\n"))
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): JSONText.append(integer, to: &output)
    case .string(let string): JSONText.appendQuoted(string, to: &output)
    case .text(let text): output.append(contentsOf: text.utf8)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, (name, value)) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSONText.appendQuoted(name, to: &output)
        output.append(UInt8(ascii: ":"))
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
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
  /// Text that is JSON already, if there is any.
  package init(text: String?) { self = text.map(JSON.text) ?? .null }
}
