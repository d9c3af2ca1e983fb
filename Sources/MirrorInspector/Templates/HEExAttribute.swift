internal import MirrorSupport

/// An attribute whose value is an expression, such as `class={["row", @kind]}`. ``HEExParser``
/// makes one for each attribute with braces.
///
/// LiveView writes most such attributes as one slot, whose value contains the name of the attribute
/// too: `<p` … `>`. If the attribute is `class` or `style`, or its value is a string, the name is
/// constant text: `<p class="row ` … `">`.
struct HEExAttribute {
  /// Empty for `{@rest}`.
  let name: ArraySlice<UInt8>
  /// The bytes of the attribute in the file.
  let range: Range<Int>
  /// The expression without its braces.
  let code: Range<Int>

  private enum Part {
    case text(ArraySlice<UInt8>)
    case expression(Range<Int>)
  }

  /// Appends to the body of a template the statics and slots that LiveView makes of this attribute.
  /// If they cannot be known, appends an unknown part.
  func write(_ bytes: [UInt8], to body: inout HEExTemplate.Body) {
    let code = bytes[code].trimmingBlanks
    if name.isEmpty {
      // LiveView makes an attribute of each pair of a literal list or map; this parser does not.
      let isLiteral = code.first == UInt8(ascii: "[") || code.first == UInt8(ascii: "%")
      return isLiteral ? body.addUnknown() : body.addSlot(range)
    }
    let parts: [Part]?
    if name.elementsEqual("class".utf8) {
      parts = classNames(code)
    } else if name.elementsEqual("style".utf8) {
      parts = [.expression(range)]
    } else if code.indices.dropLast().contains(where: {
      code[$0] == UInt8(ascii: "<") && code[$0 + 1] == UInt8(ascii: ">")
    }) {
      // LiveView's compiler divides `"a" <> @b` into two parts; this parser does not.
      parts = nil
    } else if code.first == UInt8(ascii: "\""), let end = endOfString(code), end == code.endIndex {
      parts = string(code.dropFirst().dropLast())
    } else {
      return body.addSlot(range)
    }
    guard let parts else { return body.addUnknown() }
    body.statics.append(" ".utf8)
    body.statics.append(name)
    body.statics.append("=\"".utf8)
    for part in parts {
      switch part {
      case .text(let text): body.statics.append(("\(String(decoding: text, as: UTF8.self))" as HTML).bytes)
      case .expression(let range): body.addSlot(range)
      }
    }
    body.statics.append("\"".utf8)
  }

  /// The parts of the value of `class`: the strings at the beginning of a list are constant, and
  /// the rest is one expression. `nil` if such a string has escapes.
  private func classNames(_ code: ArraySlice<UInt8>) -> [Part]? {
    guard code.first == UInt8(ascii: "["), code.last == UInt8(ascii: "]") else { return [.expression(range)] }
    var (parts, rest) = ([Part](), code.dropFirst().dropLast().trimmingBlanks)
    while rest.first == UInt8(ascii: "\""), let end = endOfString(rest) {
      let (text, after) = (rest[rest.startIndex + 1..<end - 1], rest[end...].trimmingBlanks)
      guard after.isEmpty || after.first == UInt8(ascii: ","),
        !text.indices.contains(where: { Self.isInterpolation(text, at: $0) })
      else { break }
      guard !text.contains(UInt8(ascii: "\\")) else { return nil }
      parts += [.text(text), .text([0x20])]
      rest = after.dropFirst().trimmingBlanks
      if rest.isEmpty { return parts.dropLast() }
    }
    return parts + [.expression(range)]
  }

  /// The texts and the interpolations of a string; `nil` if a text has escapes, or an interpolation
  /// does not end.
  private func string(_ code: ArraySlice<UInt8>) -> [Part]? {
    var (parts, rest) = ([Part](), code)
    while let start = rest.indices.first(where: { Self.isInterpolation(rest, at: $0) }) {
      guard let end = Self.endOfInterpolation(rest, from: start) else { return nil }
      parts += [.text(rest[..<start]), .expression(start..<end)]
      rest = rest[end...]
    }
    parts.append(.text(rest))
    let hasEscapes = parts.contains {
      if case .text(let text) = $0 { text.contains(UInt8(ascii: "\\")) } else { false }
    }
    return hasEscapes ? nil : parts
  }

  /// The index after the string that the code begins with.
  private func endOfString(_ code: ArraySlice<UInt8>) -> Int? {
    var place = code.startIndex + 1
    while place < code.endIndex {
      if code[place] == UInt8(ascii: "\\") {
        place += 2
      } else if Self.isInterpolation(code, at: place) {
        guard let end = Self.endOfInterpolation(code, from: place) else { return nil }
        place = end
      } else if code[place] == UInt8(ascii: "\"") {
        return place + 1
      } else {
        place += 1
      }
    }
    return nil
  }

  private static func isInterpolation(_ code: ArraySlice<UInt8>, at place: Int) -> Bool {
    code[place] == UInt8(ascii: "#") && place + 1 < code.endIndex && code[place + 1] == UInt8(ascii: "{")
  }

  private static func endOfInterpolation(_ code: ArraySlice<UInt8>, from start: Int) -> Int? {
    var open = 0
    for place in start + 1..<code.endIndex {
      if code[place] == UInt8(ascii: "{") { open += 1 }
      if code[place] == UInt8(ascii: "}") {
        open -= 1
        if open == 0 { return place + 1 }
      }
    }
    return nil
  }
}
