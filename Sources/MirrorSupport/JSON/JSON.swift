/// A small JSON value: a response, the value of an event, or the arguments of a command. Updates
/// are not decoded into such values.
///
/// Foundation's encoder cannot keep the order of members, and cannot pass on JSON unchanged, such
/// as the diffs, events and replies of a LiveView.
///
/// ```swift
/// let value: JSON = ["view": "main", "changes": [1, 2]]
/// value.encoded   // {"view":"main","changes":[1,2]}
/// ```
package enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case string(String)
  case array([JSON])
  case object(Members)
  /// Text that is JSON already. A number that is not an integer of 64 bits is also kept in this
  /// form.
  case json(String)

  /// An object. If a name occurs twice, the last value is used.
  package static func object(_ members: [(String, JSON)]) -> JSON { .object(Members(members)) }

  /// The members of an object, in order, each name once.
  package struct Members: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
      package var name: String
      package var value: JSON
    }

    package private(set) var all: [Member] = []
    /// The index of each name in ``all``, if there are more than ``mostSearched``.
    private var indexes: [String: Int] = [:]

    /// The maximum number of members that are searched one by one. More members need `indexes`.
    private static let mostSearched = 16

    package init() {}

    package init(_ members: some Sequence<(String, JSON)>) {
      all.reserveCapacity(members.underestimatedCount)
      for (name, value) in members { set(name, to: value) }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// A member by its name; `nil` if there is no such member.
    package subscript(name: String) -> JSON? { index(of: name).map { all[$0].value } }

    private func index(of name: String) -> Int? {
      all.count > Self.mostSearched ? indexes[name] : all.firstIndex { $0.name == name }
    }

    /// Sets the value of the member with this name, or adds such a member at the end.
    package mutating func set(_ name: String, to value: JSON) {
      if let index = index(of: name) {
        all[index].value = value
        return
      }
      all.append(Member(name: name, value: value))
      if all.count == Self.mostSearched + 1 {
        for (index, member) in all.enumerated() { indexes[member.name] = index }
      } else if all.count > Self.mostSearched {
        indexes[name] = all.count - 1
      }
    }

    /// The members except those with the given names.
    package func without(_ names: Set<String>) -> Members {
      Members(all.lazy.filter { !names.contains($0.name) }.map { ($0.name, $0.value) })
    }

    /// Adds the members of another object; they replace those of the same name.
    package mutating func merge(_ others: Members) { for member in others.all { set(member.name, to: member.value) } }
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
}

// MARK: - Reading

extension JSON {
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  package var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
  package var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  package var members: Members? { if case .object(let members) = self { members } else { nil } }
}

// MARK: - Writing

extension JSON {
  /// The value as compact UTF-8, and a line feed.
  ///
  /// - Complexity: O(*output*). It recurses into arrays and objects, so their depth must be
  ///   bounded.
  package var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// The value as compact JSON, without a line feed.
  package var encoded: String {
    var json = JSONWriter()
    write(to: &json)
    return json.text
  }

  package func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let bool): json.value(bool)
    case .integer(let integer): json.value(integer)
    case .string(let text): json.value(text)
    case .json(let text): json.value(json: text)
    case .array(let elements): json.array(elements) { json, element in element.write(to: &json) }
    case .object(let members):
      json.object { json in
        for member in members.all { json.member(named: member.name) { member.value.write(to: &$0) } }
      }
    }
  }
}
