internal import RenderedTree

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
package struct JSONWriter {
  private var output: [UInt8] = []
  /// Whether something stands before the place that is written next, in the same object or array.
  private var follows = false

  package init() { output.reserveCapacity(1_024) }

  /// What was written, and a line feed.
  package var bytes: [UInt8] {
    var bytes = output
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// What was written.
  package var text: String { String(decoding: output, as: UTF8.self) }

  // MARK: - Values

  package mutating func value(_ string: String) {
    separate()
    JSONText.appendQuoted(string, to: &output)
  }

  package mutating func value(_ integer: Int) {
    separate()
    JSONText.append(integer, to: &output)
  }

  package mutating func value(_ bool: Bool) { literal(bool ? "true" : "false") }

  package mutating func null() { literal("null") }

  /// Text that is JSON already.
  package mutating func value(json text: String) {
    separate()
    output.append(contentsOf: text.utf8)
  }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    nested(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    nested(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
      for element in elements { body(&json, element) }
    }
  }

  // MARK: - Members

  package mutating func member(_ name: StaticString, _ string: String) {
    self.name(name)
    value(string)
  }

  package mutating func member(_ name: StaticString, _ integer: Int) {
    self.name(name)
    value(integer)
  }

  package mutating func member(_ name: StaticString, _ bool: Bool) {
    self.name(name)
    value(bool)
  }

  /// `null` where there is none.
  package mutating func member(_ name: StaticString, _ string: String?) {
    self.name(name)
    if let string { value(string) } else { null() }
  }

  /// `null` where there is none.
  package mutating func member(_ name: StaticString, _ integer: Int?) {
    self.name(name)
    if let integer { value(integer) } else { null() }
  }

  /// Text that is JSON already; `null` where there is none.
  package mutating func member(_ name: StaticString, json text: String?) {
    self.name(name)
    if let text { value(json: text) } else { null() }
  }

  package mutating func null(_ name: StaticString) {
    self.name(name)
    null()
  }

  package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    self.name(name)
    object(body)
  }

  package mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    self.name(name)
    array(elements, body)
  }

  /// A member whose name the program does not know beforehand.
  package mutating func member(named name: String, _ string: String?) {
    value(name)
    output.append(UInt8(ascii: ":"))
    follows = false
    if let string { value(string) } else { null() }
  }

  // MARK: - Parts

  /// Names stand in the source, and have nothing to escape.
  private mutating func name(_ name: StaticString) {
    separate()
    output.append(UInt8(ascii: "\""))
    append(name)
    output.append(UInt8(ascii: "\""))
    output.append(UInt8(ascii: ":"))
    follows = false
  }

  private mutating func literal(_ text: StaticString) {
    separate()
    append(text)
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  private mutating func nested(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    output.append(open)
    follows = false
    body(&self)
    output.append(close)
    follows = true
  }

  private mutating func separate() {
    if follows { output.append(UInt8(ascii: ",")) }
    follows = true
  }
}
