extension HTML {
  /// Escapes data: the five special characters of markup become references. Characters that are invisible, or that change the
  /// direction of text, become their names.
  ///
  /// Line feeds and tabs are kept: a `pre` shows them, elsewhere they are spaces.
  static func escape(_ scalars: some Sequence<Unicode.Scalar>, into bytes: inout [UInt8]) {
    for scalar in scalars {
      switch scalar {
      case "&": bytes.append(contentsOf: "&amp;".utf8)
      case "<": bytes.append(contentsOf: "&lt;".utf8)
      case ">": bytes.append(contentsOf: "&gt;".utf8)
      case "\"": bytes.append(contentsOf: "&quot;".utf8)
      case "'": bytes.append(contentsOf: "&#39;".utf8)
      case "\n", "\t": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      case _ where scalar.isUnseen: bytes.append(contentsOf: scalar.visibleName.utf8)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Controls, direction marks, and format characters without a width. Joiners are kept, because scripts and emoji need them.
  var isUnseen: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
    default: false
    }
  }

  /// The picture of a control (`␀`); the code point of other characters: `⟨U+202E⟩`.
  fileprivate var visibleName: String {
    switch value {
    case 0x00...0x1F: return Unicode.Scalar(0x2400 + value).map { String(Character($0)) } ?? "␀"
    case 0x7F: return "␡"
    default:
      let digits = String(value, radix: 16, uppercase: true)
      return "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)⟩"
    }
  }
}
