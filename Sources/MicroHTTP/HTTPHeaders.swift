/// Header fields in the order in which they were sent, found by name without regard to case.
///
///     var headers: HTTPHeaders = ["Content-Type": "text/plain"]
///     headers["content-type"]   // "text/plain"
///     headers.add("Set-Cookie", "a=1")
///
/// A list, not a dictionary: a request has about ten fields, duplicates mean something (two `Host` lines are an attack),
/// and an answer keeps the order in which it was written. Every look-up is O(*n*).
public struct HTTPHeaders: Sendable {
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Those that were added one by one.
  private(set) var own: [Field] = []
  /// Those that stand behind them: a list that many have, so that it is not copied for each. See ``add(missing:)``.
  private(set) var shared: [Field] = []

  public init() {}

  public init(_ fields: [Field]) { own = fields }

  /// All of them, in order.
  public var fields: [Field] { shared.isEmpty ? own : own + shared }

  /// The first value of that name. Setting replaces every field of the name by one; `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      for field in own where Self.matches(field.name, name) { return field.value }
      for field in shared where Self.matches(field.name, name) { return field.value }
      return nil
    }
    set {
      makeAllOwn()
      let place = own.firstIndex { Self.matches($0.name, name) } ?? own.endIndex
      own.removeAll { Self.matches($0.name, name) }
      if let newValue { own.insert(Field(name: name, value: newValue), at: min(place, own.endIndex)) }
    }
  }

  /// Every value of that name, in order.
  public func values(of name: String) -> [String] {
    var values: [String] = []
    for field in fields where Self.matches(field.name, name) { values.append(field.value) }
    return values
  }

  /// Every value of that name as one list, as RFC 9110 §5.3 allows for fields that are lists; `nil` when there is none.
  public func list(of name: String) -> String? {
    let values = values(of: name)
    return values.count < 2 ? values.first : values.joined(separator: ", ")
  }

  /// Adds a field after the others, even if there is one of that name.
  public mutating func add(_ name: String, _ value: String) {
    makeAllOwn()
    own.append(Field(name: name, value: value))
  }

  /// Adds the fields of a list of whose names there is none yet. Where none of them is there, nothing is copied.
  mutating func add(missing others: [Field]) {
    if shared.isEmpty, !others.contains(where: { has($0.name) }) {
      shared = others
    } else {
      let missing = others.filter { !has($0.name) }
      makeAllOwn()
      own += missing
    }
  }

  private mutating func makeAllOwn() {
    guard !shared.isEmpty else { return }
    own += shared
    shared = []
  }

  /// Whether there is a field of that name.
  func has(_ name: String) -> Bool {
    own.contains { Self.matches($0.name, name) } || shared.contains { Self.matches($0.name, name) }
  }

  /// How many fields have that name.
  func count(of name: String) -> Int {
    var count = 0
    for field in fields where Self.matches(field.name, name) { count += 1 }
    return count
  }

  /// Whether two names are the same but for their case. Most differ in their length already, so that is compared in place.
  @inline(__always)
  static func matches(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && foldsAlike(one, other)
  }

  /// Field names are ASCII, so case is folded a byte at a time, without building another string.
  private static func foldsAlike(_ one: String, _ other: String) -> Bool {
    guard (one.utf8.first ?? 0) | 0x20 == (other.utf8.first ?? 0) | 0x20 else { return false }
    // Most are written alike.
    if one == other { return true }
    var left = one.utf8.makeIterator()
    var right = other.utf8.makeIterator()
    while let a = left.next(), let b = right.next() {
      guard a == b || a.asciiLowercased == b.asciiLowercased else { return false }
    }
    return true
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Keeps the order and the duplicates of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    own = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

/// As lists of fields, whichever of them are shared.
extension HTTPHeaders: Hashable {
  public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool { one.fields == other.fields }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension HTTPHeaders: CustomStringConvertible {
  public var description: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}
