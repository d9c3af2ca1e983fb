/// A JSON value in LiveView's wire format, to be written. ``BenchmarkPage`` writes its mount and
/// its diffs with it. Members keep their order.
package enum Wire: Sendable {
  case text(String)
  case number(Int)
  case flag(Bool)
  case list([Wire])
  case object([(String, Wire)])

  /// The value as compact JSON.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .text(let text): Self.write(quoted: text, to: &output)
    case .number(let number): output.append(contentsOf: String(number).utf8)
    case .flag(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .list(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, (name, value)) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(quoted: name, to: &output)
        output.append(UInt8(ascii: ":"))
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// The pages have no control characters, so two escapes are enough.
  private static func write(quoted text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
  }

  /// The number of texts and numbers in a diff, without templates and the counts of comprehensions.
  var entries: Int {
    switch self {
    case .text, .number: 1
    case .flag: 0
    case .list(let elements): elements.reduce(0) { $0 + $1.entries }
    case .object(let members):
      members.reduce(0) { ["s", "r", "kc", "km"].contains($1.0) ? $0 : $0 + $1.1.entries }
    }
  }
}

extension Wire: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
  package init(dictionaryLiteral elements: (String, Wire)...) { self = .object(elements) }
}

// MARK: - What LiveView sends

extension Wire {
  /// A template with its slots, `{"0": …, "s": […]}`. The root of a component also has `r`.
  static func fragment(_ statics: [String], _ slots: [Wire], isRoot: Bool = false) -> Wire {
    let root: [(String, Wire)] = isRoot ? [("r", 1)] : []
    return .object(numbered(slots) + [("s", .statics(statics))] + root)
  }

  static func statics(_ statics: [String]) -> Wire { .list(statics.map(Wire.text)) }

  /// `{"0": …, "1": …}`
  static func slots(_ slots: [Wire]) -> Wire { .object(numbered(slots)) }

  static func numbered(_ values: [Wire]) -> [(String, Wire)] {
    values.enumerated().map { (String($0.offset), $0.element) }
  }
}
