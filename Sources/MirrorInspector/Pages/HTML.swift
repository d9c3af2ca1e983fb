internal import MirrorSupport

/// Markup that consists of string literals of the program and of escaped data. All pages use it.
///
/// ```swift
/// let name = "<script>"
/// let line: HTML = "<p title=\"\(name)\">\(name)</p>"   // <p title="&lt;script&gt;">&lt;script&gt;</p>
/// ```
///
/// Literal parts are `StaticString`s, so only the text of a source file can become markup. An
/// interpolated `String` or number is escaped for text and for double-quoted attributes; an
/// interpolated `HTML` is inserted unchanged. A `String` of run time can only become `HTML` by
/// escaping.
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// UTF-8.
  private(set) var bytes: [UInt8]

  init(stringLiteral literal: StaticString) {
    bytes = literal.withUTF8Buffer { Array($0) }
  }

  init(stringInterpolation interpolation: StringInterpolation) { bytes = interpolation.bytes }

  var isEmpty: Bool { bytes.isEmpty }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []
    fileprivate var isEmpty: Bool { bytes.isEmpty }

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func appendInterpolation(_ text: String) { HTML.escape(text.unicodeScalars, into: &bytes) }

    mutating func appendInterpolation(_ text: Substring.UnicodeScalarView) { HTML.escape(text, into: &bytes) }

    mutating func appendInterpolation(_ number: some BinaryInteger) { bytes.append(contentsOf: String(number).utf8) }

    mutating func appendInterpolation(_ html: HTML) { bytes.append(contentsOf: html.bytes) }

    /// Joined without a separator.
    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { bytes.append(contentsOf: part.bytes) }
    }

    /// Empty for `nil`.
    mutating func appendInterpolation(_ html: HTML?) {
      if let html { bytes.append(contentsOf: html.bytes) }
    }
  }
}

extension [HTML] {
  /// The parts that are not empty, joined by a separator.
  ///
  /// - Complexity: O(*bytes*): a change may have 80,000 attributes.
  func joined(by separator: HTML) -> HTML {
    var result = HTML.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    for part in self where !part.isEmpty {
      if !result.isEmpty { result.appendInterpolation(separator) }
      result.appendInterpolation(part)
    }
    return HTML(stringInterpolation: result)
  }
}

extension HTML {
  /// Escapes data: the five special characters of markup become references. Characters that are
  /// invisible, or that change the direction of text, become their names.
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

extension HTML {
  /// A text in which code is between backquotes and emphasis between asterisks. A single backquote
  /// stays as it is.
  static func prose(_ text: String) -> HTML {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard parts.count % 2 == 1 else { return "\(text)" }
    return
      "\(parts.enumerated().map { index, part in index % 2 == 1 ? "<code>\(part)</code>" as HTML : emphasised(part) })"
  }

  private static func emphasised(_ text: String) -> HTML {
    let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    guard parts.count % 2 == 1 else { return "\(text)" }
    return "\(parts.enumerated().map { index, part in index % 2 == 1 ? "<em>\(part)</em>" as HTML : "\(part)" })"
  }
}
