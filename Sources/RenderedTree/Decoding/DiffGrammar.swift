/// The grammar of an update, a Rendered or a diff: which keys its objects have, since which version
/// of LiveView, and what their values are.
///
/// ``rules`` is the only list of keys. The decoder, the explanation of a diff and the search for a
/// slot ask ``part(of:isNumber:in:)``, and a test compares the rules with `docs/update-process.md`.
/// To add a key of a later LiveView, add a rule, and a case to ``DiffKey`` and ``DiffPart``. The
/// explanation of a diff then does not compile until it has a text for the new case. The decoder
/// ignores and reports a part that it does not decode.
package enum DiffGrammar {
  /// The minor versions of LiveView 1 whose grammar is known.
  package static let versions = 0...2

  /// One row of the grammar.
  package struct Rule: Sendable {
    /// `nil` for an index.
    package let key: DiffKey?
    /// The objects that can have the key.
    package let objects: [DiffPart]
    /// `true` if the rule is only for numbers, `false` if it is only for other values, `nil` if it
    /// is for all values.
    package let isNumber: Bool?
    /// The minor versions of LiveView 1 that send the key.
    package let versions: ClosedRange<Int>
    /// The meaning of the value.
    package let part: DiffPart

    fileprivate init(
      _ key: DiffKey?, in objects: [DiffPart], isNumber: Bool? = nil,
      since first: Int = DiffGrammar.versions.lowerBound,
      until last: Int = DiffGrammar.versions.upperBound, _ part: DiffPart
    ) {
      (self.key, self.objects, self.isNumber, self.part) = (key, objects, isNumber, part)
      versions = first...last
    }
  }

  /// The objects with slots. Some may be comprehensions, which have entries instead.
  private static let fragments: [DiffPart] = [.update, .slot, .component, .keyedEntry, .changes]

  /// All keys. A later rule for the same key and object takes precedence.
  package static let rules: [Rule] = [
    Rule(nil, in: fragments, .slot),
    Rule(nil, in: [.keyed], since: 1, .keyedEntry),
    Rule(nil, in: [.components], .component),
    Rule(nil, in: [.templates], .template),
    Rule(.s, in: fragments, .statics),
    Rule(.s, in: [.component], isNumber: true, .clone),
    Rule(.p, in: fragments, .templates),
    Rule(.r, in: fragments, .root),
    Rule(.r, in: [.update], isNumber: false, .reply),
    Rule(.d, in: fragments, until: 0, .entries),
    Rule(.k, in: fragments, since: 1, .keyed),
    Rule(.kc, in: [.keyed], since: 1, .count),
    Rule(.km, in: [.keyed], since: 2, .moves),
    Rule(.stream, in: fragments, .stream),
    Rule(.c, in: [.update], .components),
    Rule(.t, in: [.update], .title),
    Rule(.e, in: [.update], .events),
  ]

  // MARK: - Members and elements

  /// The meaning of a member.
  ///
  /// - Parameters:
  ///   - isNumber: whether its value is a number.
  ///   - object: the object that has it.
  /// - Returns: ``DiffPart/unknown`` for a key that no LiveView sends there.
  package static func part(of name: DiffName, isNumber: Bool, in object: DiffPart) -> DiffPart {
    switch name {
    case .index: parts[place(nil, isNumber, object)]
    case .key(let key): parts[place(key, isNumber, object)]
    case .unknown: .unknown
    }
  }

  /// The meaning of an element of an array; `nil` if the element has no meaning of its own.
  package static func part(ofElement index: Int, in array: DiffPart) -> DiffPart? {
    switch (array, index) {
    case (.entries, _): .entry
    case (.entry, _): .slot
    case (.keyedEntry, 1): .changes
    case (.stream, 1): .inserts
    case (.stream, 2): .deletes
    case (.stream, 3): .reset
    case (.inserts, _): .insert
    case (.deletes, _): .delete
    case (.events, _): .event
    default: nil
    }
  }

  /// ``rules``, as an array for ``part(of:isNumber:in:)``, which the decoder calls for each member.
  private static let parts: [DiffPart] = {
    var parts = [DiffPart](repeating: .unknown, count: DiffPart.allCases.count * (DiffKey.allCases.count + 1) * 2)
    for rule in rules {
      for object in rule.objects {
        for isNumber in [false, true] where rule.isNumber != !isNumber {
          parts[place(rule.key, isNumber, object)] = rule.part
        }
      }
    }
    return parts
  }()

  @inline(__always)
  private static func place(_ key: DiffKey?, _ isNumber: Bool, _ object: DiffPart) -> Int {
    let column = key.map { Int($0.rawValue) + 1 } ?? 0
    return (Int(object.rawValue) * (DiffKey.allCases.count + 1) + column) * 2 + (isNumber ? 1 : 0)
  }
}

/// A key of an update that is not an index.
package enum DiffKey: UInt8, Sendable, CaseIterable {
  case s, p, r, d, k, kc, km, stream, c, t, e

  /// The key as it is sent.
  package var name: String { Self.names[Int(rawValue)] }

  private static let names = allCases.map { "\($0)" }
  private static let words = names.map { word($0.utf8) }

  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard name.count < 8, let index = Self.words.firstIndex(of: Self.word(name)) else { return nil }
    self.init(rawValue: UInt8(index))
  }

  /// The bytes of a name as one number, after a leading 1 bit. All names of less than eight bytes
  /// have different numbers.
  private static func word(_ name: some Sequence<UInt8>) -> UInt64 { name.reduce(1) { $0 << 8 | UInt64($1) } }
}

/// The name of a member of an update.
package enum DiffName: Sendable, Hashable {
  case index(Int)
  case key(DiffKey)
  /// Neither an index nor a key of any version.
  case unknown

  init(_ name: UnsafeBufferPointer<UInt8>) {
    if let index = Self.index(name) { self = .index(index) } else { self = DiffKey(name).map { .key($0) } ?? .unknown }
  }

  package init(_ name: String) {
    var name = name
    self = name.withUTF8 { DiffName($0) }
  }

  /// The index that a name denotes: up to 9 digits without a leading zero. Otherwise `nil`.
  static func index(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
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
}

/// The meaning of a value in an update.
package enum DiffPart: UInt8, Sendable, CaseIterable {
  /// The whole update.
  case update
  /// The value of a slot: a text, the id of a component, a fragment, or a comprehension.
  case slot
  /// `c`, and one of its components.
  case components, component
  /// `s`: the strings between the slots. A number is a template.
  case statics
  /// `s` of a component, if it is a number: the id of another component, whose statics and slots
  /// this component takes over.
  case clone
  /// `p`: strings that several fragments use, and one of them.
  case templates, template
  /// `r`: the fragment is one element.
  case root
  /// `d`: all entries of a comprehension, and one of them, an array of its slots.
  case entries, entry
  /// `k`: the new, changed and moved entries of a comprehension, and one of them: an object, the
  /// former index, or `[former index, changes]`.
  case keyed, keyedEntry, changes
  /// `kc`: the number of entries.
  case count
  /// `km`: whether entries moved.
  case moves
  /// `stream`: `[ref, inserts, deleted ids, true for a reset]`.
  case stream, inserts, insert, deletes, delete, reset
  /// `t`: the title of the page.
  case title
  /// `e`, and one of its events.
  case events, event
  /// `r` at the top: the reply to the client's event.
  case reply
  /// A key that no LiveView sends there.
  case unknown

  /// Whether ``DiffGrammar/rules`` has keys for such a value, if it is an object.
  package var hasKeys: Bool {
    switch self {
    case .update, .slot, .components, .component, .templates, .keyed, .keyedEntry, .changes: true
    default: false
    }
  }

  /// Whether a value is no part of its own for an explanation of the diff and for the search for a
  /// slot: its parts count as parts of the value around it.
  package var isTransparent: Bool { self == .changes || self == .inserts || self == .deletes }
}
