internal import MirrorSupport

/// Markup that begins with `<?` (13.2.5.72 to 13.2.5.76 of the standard, since June 2026).
/// ``next()`` calls ``readInstruction()`` at each `<?`.
extension Tokenizer {
  /// Reads a processing instruction, or a comment if the target is invalid.
  ///
  /// `<?php echo 1; ?>` and `<?php echo 1; >` are instructions with the target `php`. If the target
  /// contains an invalid character, or is `xml` or `xml-stylesheet`, then everything from the `?`
  /// to the next `>` becomes a comment. An instruction that is not closed makes no token, as in
  /// Chromium 156. In `native`, `<?` always opens a comment.
  ///
  /// - Returns: `nil` if the markup ends inside the instruction.
  /// - Complexity: O(*length of the instruction*).
  mutating func readInstruction() -> Kind? {
    let start = position + 2
    guard start < bytes.count else { return dropInstruction() }
    if keepsCase {
      readBogusComment(from: position + 1)
      return .comment
    }
    var end = start
    if bytes[start].isASCIILetter || bytes[start] == UInt8(ascii: "_") {
      while end < bytes.count, bytes[end].isInInstructionTarget { end += 1 }
      if end == bytes.count { return dropInstruction() }
    }
    guard end > start, bytes[end].endsInstructionTarget, !isReservedTarget(start, end) else {
      readBogusComment(from: position + 1)
      return .comment
    }
    return readInstruction(target: start, end)
  }

  private mutating func readInstruction(target start: Int, _ targetEnd: Int) -> Kind? {
    var dataStart = targetEnd
    while dataStart < bytes.count, bytes[dataStart].isASCIIWhitespace { dataStart += 1 }
    let end = firstIndex(of: UInt8(ascii: ">"), from: dataStart)
    guard end < bytes.count else { return dropInstruction() }
    offset = position
    position = end + 1
    name = string(start, targetEnd)
    let isQuestioned = end > dataStart && bytes[end - 1] == UInt8(ascii: "?")
    setComment(dataStart, isQuestioned ? end - 1 : end)
    return .processingInstruction
  }

  private func isReservedTarget(_ start: Int, _ end: Int) -> Bool {
    ["xml", "xml-stylesheet"].contains { name in end - start == name.utf8.count && isName(name, at: start) }
  }

  /// Drops an instruction that the end of the markup cuts off.
  private mutating func dropInstruction() -> Kind? {
    log.report(
      "eof-in-processing-instruction", at: position, "A `<?` is not closed", browsers: "drop the rest of the markup")
    position = bytes.count
    isCut = true
    return nil
  }
}

extension UInt8 {
  fileprivate var isInInstructionTarget: Bool {
    isASCIIAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }

  fileprivate var endsInstructionTarget: Bool {
    isASCIIWhitespace || self == UInt8(ascii: "?") || self == UInt8(ascii: ">")
  }
}
