import CLibrary
internal import MirrorSupport
internal import CMicrohttpd

/// Detects separators in a request's head that RFC 9112 forbids and libmicrohttpd 0.9 accepts, by
/// the addresses of the parts.
///
/// libmicrohttpd splits the head in place. So the distance between two parts is known when they are
/// separated correctly: a method, a space, a target, a space, a version and CRLF; a name, a colon,
/// optional white space, a value and CRLF. A bare line feed, two spaces, a NUL, or a folded line
/// (which libmicrohttpd copies) changes a distance. Two programs that disagree about such a head
/// allow request smuggling.
///
/// The check compares addresses and reads no bytes. The one exception is the white space after a
/// colon, whose range is known to be in the block.
///
/// ``Connection/Head`` adds all headers in the order in which they were sent, because each header
/// must begin at the end of the one before.
struct HeadLayout {
  /// The address at which the next part must begin. A number and not a pointer, because a part may
  /// be in another block of memory.
  private var next: UInt
  private let end: UInt
  private(set) var isStrict: Bool

  /// Whether the layout is known for this version of libmicrohttpd. Versions from 1.0 on have an
  /// option for strictness.
  static let isKnown: Bool = String(cString: MHD_get_version()).hasPrefix("0.9.")

  init(method: UnsafeRawBufferPointer, target: Range<UInt>, version: UnsafeRawBufferPointer, size: Int) {
    let start = UInt(bitPattern: method.baseAddress)
    let place = UInt(bitPattern: version.baseAddress)
    // "HTTP/1.1" and CRLF.
    next = place + 8 + 2
    end = start + UInt(size)
    isStrict = start + UInt(method.count) + 1 == target.lowerBound && target.upperBound + 1 == place
  }

  /// Checks the next header.
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

  /// Whether all separators are valid, and the empty line ends the head.
  var isStrictToTheEnd: Bool { isStrict && next + 2 == end }

  /// The addresses of a part. ``Exchange`` asks for those of the target before libmicrohttpd splits
  /// the first line.
  static func range(of part: UnsafeRawBufferPointer) -> Range<UInt> {
    let start = UInt(bitPattern: part.baseAddress)
    return start..<start + UInt(part.count)
  }

  /// The bytes of a part, up to the NUL with which libmicrohttpd has ended it.
  static func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text, count: strlen(text))
  }
}
