internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds what libmicrohttpd 0.9 has forgiven in the head of a request, by where its parts lie.
///
/// It cuts the head up in place, so parts that were separated as they should be lie just so far apart: a method, a space, a
/// target, a space, a version and a line's end; a name, a colon, blanks, a value and a line's end. A line that ended with
/// a mere line feed, two spaces, a NUL in the middle, or a line that was folded (and copied elsewhere) lie otherwise. What
/// one program forgives and the next one reads differently, smuggles requests.
///
/// Only pointers are compared, except for the blanks between a colon and a value, which are known to lie inside.
struct HeadLayout {
  /// Where the next part has to begin, as a number: parts that lie elsewhere are of another block of memory.
  private var next: UInt
  private let end: UInt
  private(set) var isStrict: Bool

  /// Whether the library is one whose layout is known. Later ones (1.0) are strict themselves when told to.
  static let isKnown: Bool = String(cString: MHD_get_version()).hasPrefix("0.9.")

  init(method: UnsafeRawBufferPointer, target: Range<UInt>, version: UnsafeRawBufferPointer, size: Int) {
    let start = UInt(bitPattern: method.baseAddress)
    let place = UInt(bitPattern: version.baseAddress)
    // "HTTP/1.1" and a line's end.
    next = place + 8 + 2
    end = start + UInt(size)
    isStrict = start + UInt(method.count) + 1 == target.lowerBound && target.upperBound + 1 == place
  }

  /// The next header.
  mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard isStrict, let first = name.baseAddress, let start = value.baseAddress else {
      isStrict = false
      return
    }
    let colon = UInt(bitPattern: first) + UInt(name.count)
    let place = UInt(bitPattern: start)
    isStrict = UInt(bitPattern: first) == next && place > colon && place < end
    guard isStrict else { return }
    let blanks = UnsafeRawBufferPointer(start: first + name.count + 1, count: Int(place - colon) - 1)
    isStrict = blanks.allSatisfy(\.isOptionalWhitespace)
    next = place + UInt(value.count) + 2
  }

  /// Whether the empty line lies where it has to, too.
  var isStrictToTheEnd: Bool { isStrict && next + 2 == end }

  /// Where a part lies: a target before the daemon cuts it up.
  static func place(of part: UnsafeRawBufferPointer) -> Range<UInt> {
    let start = UInt(bitPattern: part.baseAddress)
    return start..<start + UInt(part.count)
  }

  /// A part, to the zero that the daemon has put behind it.
  static func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text, count: strlen(text))
  }
}
