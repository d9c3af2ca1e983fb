internal import MirrorSupport

/// The constant texts between the slots of a template, normalized so that a file and a Rendered can
/// be compared: a run of white space is one space, and texts have no white space at their ends,
/// because EEx removes white space around its tags.
///
/// ``HEExTemplate`` compares such texts. ``end()`` must be called after the last text, because it
/// removes the white space at the end.
struct StaticTexts: Equatable {
  private(set) var texts: [[UInt8]] = [[]]
  /// The lines of the start tags: in a Rendered, from the attributes `data-phx-loc`; in a file, the
  /// lines at which the tags are.
  var lines: [Int] = []

  init() {}

  /// The statics of a Rendered, without HEEx's debug annotations.
  ///
  /// - Complexity: O(*bytes*).
  init(_ statics: [String]) {
    for (index, part) in statics.enumerated() {
      if index > 0 { endText() }
      var rest = part.utf8[...]
      while let byte = rest.first {
        if byte == UInt8(ascii: "<"), let end = Self.annotation(rest) {
          rest = end
        } else if byte == UInt8(ascii: " "), rest.starts(with: Self.lineAttribute) {
          let digits = rest.dropFirst(Self.lineAttribute.count).prefix { $0 != UInt8(ascii: "\"") }
          lines.append(Int(Substring(digits)) ?? 0)
          rest = rest[digits.endIndex...].dropFirst()
        } else {
          append(byte)
          rest = rest.dropFirst()
        }
      }
    }
    end()
  }

  private static let lineAttribute = Array(" data-phx-loc=\"".utf8)
  private static let annotations = ["<!-- <", "<!-- @caller "].map { Array($0.utf8) }

  /// - Returns: the rest of the bytes after an annotation at their beginning; `nil` without such an
  ///   annotation.
  private static func annotation(_ bytes: Substring.UTF8View.SubSequence) -> Substring.UTF8View.SubSequence? {
    guard annotations.contains(where: { bytes.starts(with: $0) }), let end = Substring(bytes).firstRange(of: "-->")
    else { return nil }
    return bytes[end.upperBound...]
  }

  mutating func append(_ byte: UInt8) {
    guard byte.isASCIIWhitespace else { return texts[texts.count - 1].append(byte) }
    if let last = texts[texts.count - 1].last, last != 0x20 { texts[texts.count - 1].append(0x20) }
  }

  mutating func append(_ bytes: some Sequence<UInt8>) { for byte in bytes { append(byte) } }

  /// Ends the last text: removes the white space at its end.
  mutating func end() { if texts[texts.count - 1].last == 0x20 { texts[texts.count - 1].removeLast() } }

  /// Ends a text before a slot, and begins the next one.
  mutating func endText() {
    end()
    texts.append([])
  }

  /// Whether these texts of a file are those of a Rendered. A Rendered without `data-phx-loc` has
  /// no lines, so the lines are not compared then.
  func matches(_ rendered: Self) -> Bool {
    texts == rendered.texts && (rendered.lines.isEmpty || rendered.lines == lines)
  }
}
