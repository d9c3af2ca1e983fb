/// Cuts markup into tags, text, comments and processing instructions: the tokenization stage (13.2.5) of the standard, for both dialects.
///
/// The standard's states are one character each; here text, names and values are found whole, and made a `String` once.
/// The last token's parts lie in the tokenizer and are overwritten by the next, so that no token is allocated.
struct Tokenizer {
  enum Kind: UInt8 {
    case text, startTag, endTag, comment, processingInstruction, endOfFile
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether names keep their case, which is the `native` dialect.
  let keepsCase: Bool
  let references = CharacterReferences.shared
  let knownTags = KnownTagTable.shared
  var log = DiagnosticLog()

  /// Where the next token begins.
  var position = 0
  /// Set by the tree builder: whether `<![CDATA[` opens a section, as it does in foreign content only.
  var readsCDATA = false
  /// Set by the tree builder: whether a NUL in text is dropped, or else replaced.
  var dropsNull = true
  /// Set by the tree builder after `pre` and `listing`.
  var skipsLineFeed = false
  /// Set by `plaintext`, for good.
  var isPlaintext = false

  /// Something in or before the last token was skipped, or the tree builder made something else of the token than it says.
  var isIrregular = false
  /// The markup ends inside a tag, a comment or a declaration.
  var isCut = false

  // MARK: - The token

  /// Where the token begins: the `<` of a tag or comment, the first character of a text.
  var offset = 0
  /// The text of a text token, the data of a comment or of a processing instruction.
  var text = ""
  /// Whether a text token is all white space.
  var isBlank = false
  /// Where the first character of a text that is no white space begins.
  var contentOffset = 0
  var isEndTag = false
  var tag = KnownTag.other
  var key = KnownTagTable.Key()
  /// The name of a tag: in lower case unless ``keepsCase``. The target of a processing instruction.
  var name = ""
  var attributes: [Element.Attribute] = []
  var isSelfClosing = false

  var recentAttributes = RecentAttributes()
  /// Where values that must be decoded are put together.
  var scratch: [UInt8] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, dialect: Dialect) {
    self.bytes = bytes
    keepsCase = dialect == .native
    dropsNull = dialect == .html
  }

  // MARK: - The next token

  mutating func next() -> Kind {
    if skipsLineFeed {
      skipsLineFeed = false
      dropLineFeed()
    }
    while position < bytes.count {
      if isPlaintext {
        readRaw(to: bytes.count, decoding: false)
        return .text
      }
      guard bytes[position] == UInt8(ascii: "<"), opensMarkup(at: position) else {
        if readText() { return .text }
        continue
      }
      let next = bytes[position + 1]
      if next.isASCIILetter {
        isEndTag = false
        if readTag(nameAt: position + 1) { return .startTag }
      } else if next == UInt8(ascii: "/") {
        guard bytes[position + 2].isASCIILetter else {
          readBogusComment(from: position + 2)
          return .comment
        }
        isEndTag = true
        if readTag(nameAt: position + 2) { return .endTag }
      } else if next == UInt8(ascii: "?") {
        if let kind = readInstruction() { return kind }
      } else if let kind = readDeclaration() {
        return kind
      }
    }
    return .endOfFile
  }

  /// Whether the `<` at a place opens something, rather than standing for itself or, as `</>`, for nothing.
  @inline(__always) func opensMarkup(at place: Int) -> Bool {
    guard place + 1 < bytes.count else { return false }
    let next = bytes[place + 1]
    if next.isASCIILetter { return true }
    if next == UInt8(ascii: "/") { return place + 2 < bytes.count && bytes[place + 2] != UInt8(ascii: ">") }
    return next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
  }

  /// 13.2.6.4.7: a line feed just after the start tag of `pre`, however it is written, is dropped.
  mutating func dropLineFeed() {
    guard position < bytes.count else { return }
    switch bytes[position] {
    case UInt8(ascii: "\n"): position += 1
    case UInt8(ascii: "\r"):
      position += position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n") ? 2 : 1
    case UInt8(ascii: "&"):
      let match = references.match(bytes, at: position, end: bytes.count, inAttribute: false)
      if let match, match.first == "\n" { position += match.length }
    default: break
    }
  }
}
