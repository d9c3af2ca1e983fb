/// Header fields in the order in which they were sent, found by name without regard to case.
///
///     var headers: HTTPHeaders = ["Content-Type": "text/plain"]
///     headers["content-type"]   // "text/plain"
///     headers.add("Set-Cookie", "a=1")
///
/// A list, not a dictionary: a request has about ten fields, duplicates mean something (two `Host` lines are an attack),
/// and an answer keeps the order in which it was written. Every look-up is O(*n*).
public struct HTTPHeaders: Sendable, Hashable {
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var fields: [Field] = []

  public init() {}

  public init(_ fields: [Field]) { self.fields = fields }

  /// The first value of that name. Setting replaces every field of the name by one; `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      for field in fields where Self.matches(field.name, name) { return field.value }
      return nil
    }
    set {
      let place = fields.firstIndex { Self.matches($0.name, name) } ?? fields.endIndex
      fields.removeAll { Self.matches($0.name, name) }
      if let newValue { fields.insert(Field(name: name, value: newValue), at: min(place, fields.endIndex)) }
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
    fields.append(Field(name: name, value: value))
  }

  /// Adds each field of others where there is none of its name.
  mutating func add(missing others: HTTPHeaders) {
    // Added one by one they would be moved for nearly each.
    fields.reserveCapacity(fields.count + others.fields.count)
    for field in others.fields where self[field.name] == nil { fields.append(field) }
  }

  /// How many fields have that name.
  func count(of name: String) -> Int {
    var count = 0
    for field in fields where Self.matches(field.name, name) { count += 1 }
    return count
  }

  /// Field names are ASCII, so case is folded a byte at a time, without building another string. Most names differ in their
  /// length already.
  static func matches(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count, (one.utf8.first ?? 0) | 0x20 == (other.utf8.first ?? 0) | 0x20 else {
      return false
    }
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
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPHeaders: CustomStringConvertible {
  public var description: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}
