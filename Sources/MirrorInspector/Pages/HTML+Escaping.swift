internal import MirrorSupport

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
