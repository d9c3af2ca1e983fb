internal import MirrorSupport

/// A JSON value that a client sends, such as the payload of an event. ``LivePage/send(_:_:to:)``
/// sends it as a payload, and ``ClientOptions/parameters`` have such values.
///
/// ```swift
/// let value: JSONValue = ["id": 7, "checked": true]
/// ```
public enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without a fraction.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object. The members keep their order.
  case object([Member])
  /// A text that already is JSON, and is sent unchanged. The text must be one valid value, because
  /// nothing checks it.
  case json(String)

  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// A member with a name and a value.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value as JSON.
  public var text: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .integer(let integer): String(integer)
    case .number(let number): number.isFinite ? String(number) : "null"
    case .string(let string): JSONSyntax.quoted(string)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSONSyntax.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    case .json(let text): text
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A number without a fraction.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object. The members keep their order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
