/// What begins with `<?` (13.2.5.72 to 13.2.5.76 of the standard, since June 2026).
extension Tokenizer {
  /// Reads what `<?` opens: a processing instruction, or a comment where the target is invalid; nil when nothing comes of it.
  ///
  /// `<?php echo 1; ?>` and `<?php echo 1; >` are instructions with the target `php`. An invalid character in the target,
  /// and the targets `xml` and `xml-stylesheet`, make a comment of everything from the `?` up to the next `>`. An
  /// instruction that the markup cuts off is nothing, as in Chromium 156. In `native` all of them are comments.
  ///
  /// - Complexity: O(*length of the instruction*).
  mutating func readInstruction() -> Kind? {
    let start = position + 2
    guard start < bytes.count else { return cutOff() }
    if keepsCase {
      readBogusComment(from: position + 1)
      return .comment
    }
    var end = start
    if bytes[start].isASCIILetter || bytes[start] == UInt8(ascii: "_") {
      while end < bytes.count, bytes[end].isInInstructionTarget { end += 1 }
      if end == bytes.count { return cutOff() }
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
    guard end < bytes.count else { return cutOff() }
    offset = position
    position = end + 1
    name = string(start, targetEnd)
    let isQuestioned = end > dataStart && bytes[end - 1] == UInt8(ascii: "?")
    setComment(dataStart, isQuestioned ? end - 1 : end)
    return .processingInstruction
  }

  private func isReservedTarget(_ start: Int, _ end: Int) -> Bool {
    ["xml", "xml-stylesheet"].contains { (reserved: StaticString) in
      end - start == reserved.utf8CodeUnitCount
        && zip(UnsafeBufferPointer(start: reserved.utf8Start, count: end - start), bytes[start..<end])
          .allSatisfy { $0 == $1.lowercasedASCII }
    }
  }

  /// The markup ends inside the instruction: nothing of it is a token.
  private mutating func cutOff() -> Kind? {
    log.report("eof-in-processing-instruction", at: position, "This `<?` is never closed: all that follows is dropped.")
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
