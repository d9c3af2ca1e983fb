/// The number of columns or rows of a lazy grid, written as a number, or as a JSON list with one
/// entry for each column or row. ``NativeBoxView`` reads it from the attributes `columns` and
/// `rows`.
struct GridTracks: AttributeDecodable {
  let count: Int

  /// - Throws: ``AttributeMismatch`` unless the number, or the length of the list, is from 1 to 48.
  /// - Complexity: O(*characters*).
  init(attribute value: String) throws(AttributeMismatch) {
    guard let count = Int(value) ?? Self.entries(in: value), (1...48).contains(count) else {
      throw AttributeMismatch("a number from 1 to 48, or a list with as many entries")
    }
    self.count = count
  }

  /// The length of a JSON list, found by counting commas; `nil` for other text.
  private static func entries(in text: String) -> Int? {
    var (depth, commas, isInString, isEscaped, isEmpty) = (0, 0, false, false, true)
    guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") else { return nil }
    for byte in text.utf8.dropFirst().dropLast() {
      if byte > 0x20 { isEmpty = false }
      if isInString {
        if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: commas += 1
      default: break
      }
    }
    return isEmpty ? 0 : commas + 1
  }
}
