internal import MirrorSupport

/// One item of an `Accept` header, such as `text/*;q=0.8`.
struct MediaRange: Equatable {
  let type: String
  let subtype: String
  /// The parameters except for `q`, in lower case and sorted, so that their order does not matter.
  let parameters: [String]
  /// `q` in thousandths. It has at most three decimals (RFC 9110 §12.4.2), and integers compare exactly.
  let quality: Int

  /// - Returns: `nil` if the text is not a media range; such an item is ignored.
  init?(_ text: Substring) {
    let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: true)
      .map { Substring($0).trimmingOptionalWhitespace.asciiLowercased }
    guard let name = parts.first else { return nil }
    let halves = name.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty, halves[0] != "*" || halves[1] == "*" else {
      return nil
    }
    type = String(halves[0])
    subtype = String(halves[1])

    var parameters: [String] = []
    var quality = 1000
    for part in parts.dropFirst() {
      if part.utf8.starts(with: "q=".utf8) {
        guard let value = Self.thousandths(part.dropFirst(2)) else { return nil }
        quality = value
      } else {
        parameters.append(part)
      }
    }
    self.parameters = parameters.sorted()
    self.quality = quality
  }

  /// The rank of the range among those that match the same type: the most specific one applies (RFC 9110 §12.5.1).
  var specificity: Int {
    if type == "*" { return 0 }
    if subtype == "*" { return 1 }
    return 2 + parameters.count
  }

  func matches(_ offered: MediaRange) -> Bool {
    (type == "*" || type == offered.type) && (subtype == "*" || subtype == offered.subtype)
      && parameters.allSatisfy(offered.parameters.contains)
  }

  /// Parses a quality such as `0`, `1` or `0.8` (RFC 9110 §12.4.2).
  static func thousandths(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), bytes.count <= 5,
      bytes.count < 2 || bytes[1] == UInt8(ascii: "."), bytes.dropFirst(2).allSatisfy(\.isASCIIDigit)
    else { return nil }
    var value = first == UInt8(ascii: "1") ? 1000 : 0
    var weight = 100
    for digit in bytes.dropFirst(2) {
      value += Int(digit - UInt8(ascii: "0")) * weight
      weight /= 10
    }
    return value <= 1000 ? value : nil
  }
}
