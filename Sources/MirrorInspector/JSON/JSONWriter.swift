/// Writes JSON as it goes, for what is written so often that a tree of values is too much: the change sets.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///   json.member("version", 7)
///   json.array("notified", [14, 9]) { json, node in json.value(node) }
/// }
/// json.bytes   // {"version":7,"notified":[14,9]} and a line feed
/// ```
///
/// Members stand in the order in which they are written. What is well-formed is the program's to see to: a member
/// outside of an object is written as well.
package struct JSONWriter: ~Copyable {
  /// Room for what a small diff comes to; a block of memory of a kilobyte is had for little.
  private var output = JSONBuffer(room: 1024)

  package init() {}

  /// What was written, and a line feed.
  package var bytes: [UInt8] {
    let json = output.whole
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count + 1)
    bytes.append(contentsOf: json)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// What was written.
  package var text: String { String(decoding: output.whole, as: UTF8.self) }

  // MARK: - Values

  // Every value has a comma behind it. The end of an object or array takes the place of the last one.

  @inline(__always)
  package mutating func value(_ string: String) {
    output.append(quoted: string, then: UInt8(ascii: ","))
  }

  @inline(__always)
  package mutating func value(_ integer: Int) {
    output.append(integer)
  }

  @inline(__always)
  package mutating func value(_ bool: Bool) { output.append(bool ? "true," : "false,") }

  @inline(__always)
  package mutating func null() { output.append("null,") }

  /// Text that is JSON already.
  @inline(__always)
  package mutating func value(json text: String) {
    output.append(text)
    output.append(UInt8(ascii: ","))
  }

  @inline(__always)
  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    output.append(UInt8(ascii: "{"))
    body(&self)
    output.close(UInt8(ascii: "}"))
  }

  @inline(__always)
  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    output.append(UInt8(ascii: "["))
    for element in elements { body(&self, element) }
    output.close(UInt8(ascii: "]"))
  }

  // MARK: - Members

  /// A member whose value `body` writes.
  @inline(__always)
  package mutating func write(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    output.append(name: name)
    body(&self)
  }

  @inline(__always)
  package mutating func member(_ name: StaticString, _ string: String) {
    output.append(name: name)
    value(string)
  }

  @inline(__always)
  package mutating func member(_ name: StaticString, _ integer: Int) {
    output.append(name: name, integer)
  }

  @inline(__always)
  package mutating func member(_ name: StaticString, _ bool: Bool) {
    output.append(name: name)
    value(bool)
  }

  /// A string that stands in the source, and has nothing to escape.
  @inline(__always)
  package mutating func member(_ name: StaticString, word: StaticString) {
    output.append(name: name, word: word)
  }

  /// `null` where there is none.
  @inline(__always)
  package mutating func member(_ name: StaticString, _ string: String?) {
    output.append(name: name)
    if let string { value(string) } else { null() }
  }

  /// `null` where there is none.
  @inline(__always)
  package mutating func member(_ name: StaticString, _ integer: Int?) {
    output.append(name: name)
    if let integer { value(integer) } else { null() }
  }

  /// Text that is JSON already; `null` where there is none.
  @inline(__always)
  package mutating func member(_ name: StaticString, json text: String?) {
    output.append(name: name)
    if let text { value(json: text) } else { null() }
  }

  /// A moment, in milliseconds since 1970.
  @inline(__always)
  package mutating func member(_ name: StaticString, at milliseconds: Int64) {
    output.append(name: name, at: milliseconds)
  }

  @inline(__always)
  package mutating func null(_ name: StaticString) {
    output.append(name: name)
    null()
  }

  @inline(__always)
  package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    output.append(name: name)
    object(body)
  }

  @inline(__always)
  package mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    output.append(name: name)
    array(elements, body)
  }

  /// A member whose name the program does not know beforehand.
  @inline(__always)
  package mutating func member(named name: String, _ string: String?) {
    output.append(quoted: name, then: UInt8(ascii: ":"))
    if let string { value(string) } else { null() }
  }
}
