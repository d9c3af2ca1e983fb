/// Writes JSON directly into a buffer, without a tree of values. Used for JSON that is written very
/// often, such as change sets. The inspector writes its responses with it.
///
/// ```swift
/// let json = JSONWriter { json in
///   json.member("version", 7)
///   json.array("notified", [14, 9]) { json, node in json.value(node) }
/// }
/// json.bytes   // {"version":7,"notified":[14,9]} and a line feed
/// ```
///
/// Members are written in the order of the calls. The writer does not check that the result is
/// well-formed: for example, a member can be written outside of an object.
public struct JSONWriter: ~Copyable {
  /// A kilobyte is enough for the change set of a small diff, and is allocated quickly.
  @usableFromInline var output = JSONBuffer(room: 1024)

  /// A writer that has written nothing.
  public init() {}

  /// A writer that has written one object, whose members `body` writes.
  @inlinable @inline(__always)
  public init(_ body: (inout JSONWriter) -> Void) {
    self.init()
    object(body)
  }

  /// The JSON, with a line feed at the end.
  public var bytes: [UInt8] {
    let json = output.whole
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count + 1)
    bytes.append(contentsOf: json)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The JSON, without a line feed.
  public var text: String { String(decoding: output.whole, as: UTF8.self) }

  // MARK: - Values

  // A comma is written after every value. The end of an object or array replaces the last comma.

  /// Writes a string.
  @inlinable @inline(__always)
  public mutating func value(_ string: String) {
    output.append(quoted: string, then: UInt8(ascii: ","))
  }

  /// Writes a string that is given as UTF-8.
  public mutating func value(utf8 string: UnsafeBufferPointer<UInt8>) {
    output.append(quoted: string, then: UInt8(ascii: ","))
  }

  /// Writes a number.
  @inlinable @inline(__always)
  public mutating func value(_ integer: Int) {
    output.append(integer)
  }

  /// Writes `true` or `false`.
  @inlinable @inline(__always)
  public mutating func value(_ bool: Bool) { output.append(bool ? "true," : "false,") }

  /// Writes `null`.
  @inlinable @inline(__always)
  public mutating func null() { output.append("null,") }

  /// Writes a text that already is JSON.
  @inlinable @inline(__always)
  public mutating func value(json text: String) {
    output.append(text)
    output.append(UInt8(ascii: ","))
  }

  /// Writes an object whose members `body` writes.
  @inlinable @inline(__always)
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    output.append(UInt8(ascii: "{"))
    body(&self)
    output.close(UInt8(ascii: "}"))
  }

  /// Writes an array. `body` is called for each element and writes its value.
  @inlinable @inline(__always)
  public mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    output.append(UInt8(ascii: "["))
    for element in elements { body(&self, element) }
    output.close(UInt8(ascii: "]"))
  }

  // MARK: - Members

  /// Writes a member whose value `body` writes.
  @inlinable @inline(__always)
  public mutating func write(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    output.append(name: name)
    body(&self)
  }

  /// Writes a member with a string.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ string: String) {
    output.append(name: name)
    value(string)
  }

  /// Writes a member with a number.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ integer: Int) {
    output.append(name: name, integer)
  }

  /// Writes a member with `true` or `false`.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ bool: Bool) {
    output.append(name: name)
    value(bool)
  }

  /// Writes a member with a string that is a constant in the source and needs no escapes.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, word: StaticString) {
    output.append(name: name, word: word)
  }

  /// Writes a member with a string; `null` for `nil`.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ string: String?) {
    output.append(name: name)
    if let string { value(string) } else { null() }
  }

  /// Writes a member with a number; `null` for `nil`.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ integer: Int?) {
    output.append(name: name)
    if let integer { value(integer) } else { null() }
  }

  /// Writes a member with a text that already is JSON; `null` for `nil`.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, json text: String?) {
    output.append(name: name)
    if let text { value(json: text) } else { null() }
  }

  /// Writes a member with a timestamp. The time is given in milliseconds since 1970.
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, at milliseconds: Int64) {
    output.append(name: name, at: milliseconds)
  }

  /// Writes a member with `null`.
  @inlinable @inline(__always)
  public mutating func null(_ name: StaticString) {
    output.append(name: name)
    null()
  }

  /// Writes a member with an object whose members `body` writes.
  @inlinable @inline(__always)
  public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    output.append(name: name)
    object(body)
  }

  /// Writes a member with an object whose members `body` writes; `null` for `nil`.
  @inlinable @inline(__always)
  public mutating func object<Value>(
    _ name: StaticString, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void
  ) {
    output.append(name: name)
    if let value { object { body(&$0, value) } } else { null() }
  }

  /// Writes a member with an array of objects. `body` is called for each element and writes the
  /// members of its object.
  @inlinable @inline(__always)
  public mutating func objects<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    array(name, elements) { json, element in json.object { body(&$0, element) } }
  }

  /// Writes a member with an array. `body` is called for each element and writes its value.
  @inlinable @inline(__always)
  public mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    output.append(name: name)
    array(elements, body)
  }

  /// Writes a member whose name is a number, such as `"7":`. `body` writes its value.
  public mutating func member(number: Int, _ body: (inout JSONWriter) -> Void) {
    output.append(number: number)
    body(&self)
  }

  /// Writes a member whose name is not a constant, given as UTF-8. `body` writes its value.
  public mutating func member(named name: UnsafeBufferPointer<UInt8>, _ body: (inout JSONWriter) -> Void) {
    output.append(quoted: name, then: UInt8(ascii: ":"))
    body(&self)
  }

  /// Writes a member whose name is not a constant. `body` writes its value.
  public mutating func member(named name: String, _ body: (inout JSONWriter) -> Void) {
    output.append(quoted: name, then: UInt8(ascii: ":"))
    body(&self)
  }

  /// Writes a member whose name is not a constant, with a string; `null` for `nil`.
  @inlinable @inline(__always)
  public mutating func member(named name: String, _ string: String?) {
    output.append(quoted: name, then: UInt8(ascii: ":"))
    if let string { value(string) } else { null() }
  }
}
