/// Markup that consists of string literals of the program and of escaped data.
///
/// ```swift
/// let name = "<script>"
/// let line: HTML = "<p title=\"\(name)\">\(name)</p>"   // <p title="&lt;script&gt;">&lt;script&gt;</p>
/// ```
///
/// Literal parts are `StaticString`s, so only the text of a source file can become markup. An interpolated `String` or number is
/// escaped for text and for double-quoted attributes; an interpolated `HTML` is inserted unchanged. A `String` of run time can only
/// become `HTML` by escaping.
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
