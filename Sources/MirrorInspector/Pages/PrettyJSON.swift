internal import MirrorSupport

/// Formats JSON for reading: values that fit on a line stay on it, others are indented.
/// ``ViewPage`` shows applied and rejected diffs with it.
///
/// It works on tokens without parsing, so it never fails, also on text that is not JSON. It only
/// adds and removes white space between tokens, until `limit` bytes are written.
struct PrettyJSON {
  private(set) var text = ""
  /// Whether the output ends before the JSON does.
  private(set) var isCut = false

  /// The maximum length of a value on one line with its indentation, in bytes.
  private static let width = 72
  /// The maximum number of levels by which a line is indented.
  private static let deepestIndent = 24

  /// - Complexity: O(*limit*), for JSON of any length.
  init(_ json: String, limit: Int = 4_000) {
    // Every byte except white space is written, so `limit` such bytes fill the output. The factor 2
    // leaves room for as many bytes of white space in the input.
    let bytes = Array(json.utf8.prefix(2 * limit))
    isCut = json.utf8.count > bytes.count
    let tokens = Self.tokens(of: bytes)
    let lengths = Self.lengths(of: tokens)
    var output: [UInt8] = []
    var depth = 0
    /// The position of the token that ends the value on the current line.
    var inlineEnd = -1
    func breakLine() {
      output.append(UInt8(ascii: "\n"))
      output += Array(repeating: UInt8(ascii: " "), count: 2 * min(depth, Self.deepestIndent))
    }
    for (position, token) in tokens.enumerated() {
      guard output.count < limit else {
        isCut = true
        break
      }
      let isInline = position <= inlineEnd
      switch token.first {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output += token
        if !isInline, let (last, length) = lengths[position], length <= Self.width - 2 * min(depth, Self.deepestIndent)
        {
          inlineEnd = last
        } else if !isInline {
          depth += 1
          breakLine()
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if !isInline {
          depth = max(0, depth - 1)
          breakLine()
        }
        output += token
      case UInt8(ascii: ","):
        output += token
        if isInline { output.append(UInt8(ascii: " ")) } else { breakLine() }
      case UInt8(ascii: ":"): output += [UInt8(ascii: ":"), UInt8(ascii: " ")]
      default:
        let room = max(0, limit - output.count)
        output += token.prefix(room)
        if token.count > room { isCut = true }
      }
    }
    text = String(decoding: output, as: UTF8.self)
  }

  // MARK: - Tokens

  private static func tokens(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.withUnsafeBufferPointer { text in
      var (scanner, tokens) = (JSONScanner(text), [ArraySlice<UInt8>]())
      while let token = scanner.token() { tokens.append(bytes[token]) }
      return tokens
    }
  }

  /// For every opening bracket: the position of its closing one, and the length of both with their
  /// content on one line.
  private static func lengths(of tokens: [ArraySlice<UInt8>]) -> [Int: (last: Int, length: Int)] {
    var lengths: [Int: (last: Int, length: Int)] = [:]
    var open: [(position: Int, start: Int)] = []
    var written = 0
    for (position, token) in tokens.enumerated() {
      switch token.first {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append((position, written))
      case UInt8(ascii: ","), UInt8(ascii: ":"): written += 1
      default: break
      }
      written += token.count
      if let first = token.first, first == UInt8(ascii: "}") || first == UInt8(ascii: "]"), let opened = open.popLast()
      {
        lengths[opened.position] = (position, written - opened.start)
      }
    }
    return lengths
  }
}
