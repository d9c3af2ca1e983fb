extension Unicode.Scalar {
  /// Whether this is a control, a direction mark, or a format character without a width. The
  /// joiners U+200C and U+200D do not count, because scripts and emoji need them. The inspector
  /// shows such characters by their names, and reports in Markdown replace them.
  public var isUnseen: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}

extension String {
  /// This JSON text with its unseen characters escaped, because characters that change the
  /// direction of writing could disguise strings. Line feeds and tabs between values are kept. The
  /// JSON of `check` and `compare` uses it.
  ///
  /// - Complexity: O(*bytes*).
  package var escapingUnseen: String {
    guard unicodeScalars.contains(where: { $0.isUnseen && $0.value > 0x1F }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isUnseen, scalar.value > 0x1F {
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
