package import MirrorSupport

/// A small JSON value as a tree, for the values of events and the arguments of commands. Updates are not decoded this way.
package indirect enum JSONTree: Sendable, Hashable {
  case null
  case bool(Bool)
  case string(String)
  /// A number, as compact JSON.
  case number(String)
  case array([JSONTree])
  case object(Members)

  /// The members of an object, in order, each name once.
  package struct Members: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
      package var name: String
      package var value: JSONTree
    }

    package private(set) var all: [Member] = []
    private var indexes: [String: Int] = [:]

    package init() {}

    package var isEmpty: Bool { all.isEmpty }

    /// A member by its name; `nil` if there is no such member.
    package subscript(name: String) -> JSONTree? { indexes[name].map { all[$0].value } }

    /// Adds a member at the end, or replaces the value of the present one.
    package mutating func set(_ name: String, to value: JSONTree) {
      if let index = indexes[name] {
        all[index].value = value
      } else {
        indexes[name] = all.count
        all.append(Member(name: name, value: value))
      }
    }

    /// The members without some of them.
    package func without(_ names: Set<String>) -> Members {
      var others = Members()
      for member in all where !names.contains(member.name) { others.set(member.name, to: member.value) }
      return others
    }

    /// Adds the members of another object; they replace those of the same name.
    package mutating func merge(_ others: Members) { for member in others.all { set(member.name, to: member.value) } }
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(String(value)) }
  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONTree)...) {
    var members = Members()
    for (name, value) in elements { members.set(name, to: value) }
    self = .object(members)
  }
}

// MARK: - Reading

extension JSONTree {
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  package var integer: Int? { if case .number(let number) = self { Int(number) } else { nil } }
  package var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  package var members: Members? { if case .object(let members) = self { members } else { nil } }

  /// Decodes a JSON text. If an object has a name twice, its last value is used, as in JavaScript.
  ///
  /// - Returns: `nil` for a text that is not JSON, or is nested deeper than ``WireDecoder/maximumDepth``.
  /// - Complexity: O(*bytes*).
  package init?(_ text: String) {
    let decoder = WireDecoder()
    let tree: JSONTree? = Array(text.utf8).withUnsafeBufferPointer { bytes in
      (try? decoder.parse(bytes)).map { $0.tree(WireDecoder.Reader.top) }
    }
    guard let tree else { return nil }
    self = tree
  }
}

extension WireDecoder.Tape {
  fileprivate func tree(_ value: Int) -> JSONTree {
    switch kind(value) {
    case .string: return .string(string(value) ?? "")
    case .array: return .array(elements(value).map(tree))
    case .object:
      var members = JSONTree.Members()
      for (name, member) in self.members(value) { members.set(name, to: tree(member)) }
      return .object(members)
    case .integer: return .number(json(value).text)
    case .other:
      if isNull(value) { return .null }
      if isTrue(value) || isFalse(value) { return .bool(isTrue(value)) }
      return .number(json(value).text)
    }
  }
}

// MARK: - Writing

extension JSONTree {
  /// The value as compact JSON.
  package var json: JSONText {
    var json = JSONWriter()
    write(to: &json)
    return JSONText(json.text)
  }

  package func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let bool): json.value(bool)
    case .string(let text): json.value(text)
    case .number(let number): json.value(json: number)
    case .array(let elements): json.array(elements) { $1.write(to: &$0) }
    case .object(let members):
      json.object { json in
        for member in members.all { json.member(named: member.name) { member.value.write(to: &$0) } }
      }
    }
  }
}
