internal import MirrorSupport

/// Header fields in the order in which they were sent. Names are compared without regard to case.
/// ``HTTPRequest`` and ``HTTPResponse`` have them.
///
///     var headers: HTTPHeaders = ["Content-Type": "text/plain"]
///     headers["content-type"]   // "text/plain"
///     headers.add("Set-Cookie", "a=1")
///
/// A list instead of a dictionary: a request has about ten fields, duplicates have a meaning (two
/// `Host` fields are an attack), and a response keeps the order in which it was made. Every look-up
/// is O(*fields*).
public struct HTTPHeaders: Sendable {
  /// One header field.
  public struct Field: Sendable, Hashable {
    /// The name, in the case in which it was sent.
    public let name: String
    /// The value, without surrounding white space if it was received.
    public let value: String

    /// - Parameters:
    ///   - name: the name; its case does not matter.
    ///   - value: the value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields of this instance.
  private(set) var own: [Field] = []
  /// Fields that follow `own`. Many instances share this array, so it is not copied for each
  /// response. See ``add(missing:)``. A change of any field first moves the shared ones into `own`.
  private(set) var shared: [Field] = []

  /// No fields.
  public init() {}

  /// - Parameter fields: the fields, in order.
  public init(_ fields: [Field]) { own = fields }

  /// All fields, in order.
  public var fields: [Field] { shared.isEmpty ? own : own + shared }

  /// The first value of a name. Setting a value replaces all fields of that name by one; `nil`
  /// removes them.
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

  /// All values of a name, in order.
  public func values(of name: String) -> [String] {
    var values: [String] = []
    for field in fields where Self.matches(field.name, name) { values.append(field.value) }
    return values
  }

  /// All values of a name, joined by commas, as RFC 9110 §5.3 allows for list fields; `nil`
  /// without a field of the name.
  public func list(of name: String) -> String? {
    let values = values(of: name)
    return values.count < 2 ? values.first : values.joined(separator: ", ")
  }

  /// Appends a field, even if the name exists.
  public mutating func add(_ name: String, _ value: String) {
    makeAllOwn()
    own.append(Field(name: name, value: value))
  }

  /// Appends the fields whose names do not exist yet. If none of the names exists, the array is
  /// shared instead of copied.
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

  /// Whether a name exists.
  func has(_ name: String) -> Bool {
    own.contains { Self.matches($0.name, name) } || shared.contains { Self.matches($0.name, name) }
  }

  /// The number of fields of a name.
  func count(of name: String) -> Int {
    var count = 0
    for field in fields where Self.matches(field.name, name) { count += 1 }
    return count
  }

  /// Whether two names are equal, ignoring case. Only the comparison of the lengths is inlined,
  /// because most pairs of names already differ in length.
  @inline(__always)
  static func matches(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && foldsAlike(one, other)
  }

  /// Compares names byte by byte, without allocating. Field names are ASCII.
  private static func foldsAlike(_ one: String, _ other: String) -> Bool {
    guard (one.utf8.first ?? 0) | 0x20 == (other.utf8.first ?? 0) | 0x20 else { return false }
    // Equal names usually have the same case.
    if one == other { return true }
    var left = one.utf8.makeIterator()
    var right = other.utf8.makeIterator()
    while let a = left.next(), let b = right.next() {
      guard a == b || a.lowercasedASCII == b.lowercasedASCII else { return false }
    }
    return true
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Keeps the order and duplicates of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    own = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

/// Compares the lists of fields, regardless of which fields are shared.
extension HTTPHeaders: Hashable {
  /// Whether both have the same fields in the same order.
  public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool { one.fields == other.fields }

  /// Hashes the fields in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension HTTPHeaders: CustomStringConvertible {
  /// One line for each field.
  public var description: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}
