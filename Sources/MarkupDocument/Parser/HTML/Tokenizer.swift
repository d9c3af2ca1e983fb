internal import MirrorSupport

/// Splits markup into tags, text, comments and processing instructions: the tokenization stage of
/// the standard (13.2.5), for both dialects.
///
/// The standard's tokenizer advances one character at a time. This one finds the end of a text,
/// name or value first, and then makes one `String` of it. The current token is stored in
/// properties of the tokenizer. The next token overwrites them, so no token is allocated.
///
/// ``TreeBuilder`` and ``NativeParser`` read its tokens one by one. The markup must stay valid as
/// long as the tokenizer is used.
struct Tokenizer {
  enum Kind: UInt8 {
    case text, startTag, endTag, comment, processingInstruction, endOfFile
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether names keep their case, as in the `native` dialect.
  let keepsCase: Bool
  let references = CharacterReferences.shared
  let knownTags = KnownTagTable.shared
  var log: DiagnosticLog

  /// The offset of the next token.
  var position = 0
  /// Set by the tree builder: whether `<![CDATA[` opens a section. It does so in foreign content
  /// only.
  var readsCDATA = false
  /// Set by the tree builder: whether a NUL in text is dropped. Otherwise it is replaced by U+FFFD.
  var dropsNull = true
  /// Set by the tree builder after `pre` and `listing`: the next token drops a leading line feed.
  var skipsLineFeed = false
  /// Set by the tree builder after `plaintext`: the rest of the markup is text.
  var isPlaintext = false

  /// Whether the tokenizer has skipped markup in or before the current token, or the tree builder
  /// has made a node that differs from the token, such as an `img` for `<image>`.
  var isIrregular = false
  /// Whether the markup ends inside a tag, a comment, a CDATA section, a doctype or a processing
  /// instruction.
  var isCut = false

  // MARK: - The token

  /// The start of the token: the `<` of a tag or comment, or the first character of a text.
  var offset = 0
  /// The text of a text token, or the data of a comment or processing instruction.
  var text = ""
  /// Whether a text token is all white space.
  var isBlank = false
  /// The offset of the first character of a text token that is not white space; the end of the text
  /// if it is blank.
  var contentOffset = 0
  var isEndTag = false
  var tag = KnownTag.other
  var key = KnownTagTable.Key()
  /// The name of a tag, in lower case unless ``keepsCase``, or the target of a processing
  /// instruction.
  var name = ""
  var attributes: [Element.Attribute] = []
  var isSelfClosing = false

  var recentAttributes = RecentAttributes()
  /// The buffer for text, names and values that differ from their markup.
  var scratch: [UInt8] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, dialect: Dialect) {
    self.bytes = bytes
    keepsCase = !dialect.foldsCase
    dropsNull = dialect.dropsNull
    log = DiagnosticLog(for: dialect)
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

  /// Whether the `<` at a position opens a tag, a comment or other markup. If not, it is text or
  /// part of `</>`, which is skipped.
  @inline(__always) func opensMarkup(at cursor: Int) -> Bool {
    guard cursor + 1 < bytes.count else { return false }
    let next = bytes[cursor + 1]
    if next.isASCIILetter { return true }
    if next == UInt8(ascii: "/") { return cursor + 2 < bytes.count && bytes[cursor + 2] != UInt8(ascii: ">") }
    return next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
  }

  /// Drops a line feed directly after the start tag of `pre`, also if written as a carriage return
  /// or a reference (13.2.6.4.7).
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
