/// `application/x-www-form-urlencoded` (URL Standard, 5.2), and the names of unused fields. The
/// forms of ``FormInput`` and those of `LiveViewClient` are encoded with it.
package enum FormEncoding {
  /// A name or a value as `URLSearchParams` writes it.
  ///
  /// - Complexity: O(*bytes*).
  package static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The name that marks a field as unused: `user[_unused_name]` for `user[name]`, `_unused_tags[]`
  /// for `tags[]`.
  static func unused(_ name: String) -> String {
    let isList = name.hasSuffix("[]")
    let base = isList ? name.dropLast(2) : name[...]
    // `start..<end` is the last part of the name, without the brackets around it.
    let end = base.hasSuffix("]") ? base.index(before: base.endIndex) : base.endIndex
    let start = base[..<end].lastIndex { $0 == "[" || $0 == "]" }.map(base.index(after:)) ?? base.startIndex
    guard start < end else { return name }
    return base[..<start] + "_unused_" + base[start...] + (isList ? "[]" : "")
  }
}
