internal import MirrorSupport

/// Searches the JSON of updates for a slot, named as in ``DiffExplanation/Part/path``.
///
/// ```swift
/// SlotSearch("1.k").isFound(in: #"{"1":{"k":{"0":{"3":"a"},"kc":1}}}"#)   // true
/// ```
///
/// The search follows the steps of the slot and skips all other values. It decodes only the names on its way, so that a log of
/// 10,000 updates can be searched for each refresh of a page.
package struct SlotSearch: Sendable {
  private let slot: [UInt8]

  /// - Parameter slot: a path such as `1.k.0`. An empty path is never found.
  package init(_ slot: String) { self.slot = Array(slot.utf8) }

  /// Whether a part of the update has this path, or one below it.
  ///
  /// - Parameter update: valid JSON. For another text the result is unspecified.
  /// - Complexity: O(*bytes of the update*).
  package func isFound(in update: String) -> Bool {
    if slot.isEmpty { return false }
    var update = update
    return update.withUTF8 { bytes in
      slot.withUnsafeBufferPointer { slot in
        var walk = SlotWalk(bytes: bytes, slot: slot)
        return walk.finds(0, in: .update(isMount: false))
      }
    }
  }
}

/// One pass over an update. A function that returns `false` has read its value completely. So `skip()`, which reads a value without
/// searching it, is also the result for a value that is no part of the explanation.
private struct SlotWalk {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let slot: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>, slot: UnsafeBufferPointer<UInt8>) {
    (self.bytes, self.slot) = (bytes, slot)
  }

  // MARK: - Steps

  /// Whether the next value has the steps of the slot that begin at the index `rest`. They are those of ``PartGrammar``.
  mutating func finds(_ rest: Int, in place: PartGrammar.Place) -> Bool {
    // The slot ends here.
    if rest > slot.count { return true }
    let isArray = next == UInt8(ascii: "[")
    switch place {
    case .update, .slot, .component, .keyed, .components, .templates,
      .keyedEntry where !isArray:
      return findsMember(rest, in: place)
    case .keyedEntry:
      // `[former index, diff]`
      return findsElement(rest) { walk, index, rest in index == 1 ? walk.finds(rest, inside: .slot) : walk.skip() }
    case .stream where isArray:
      // `[ref, inserts, deleted ids, true for a reset]`
      return findsElement(rest) { walk, index, rest in
        switch index {
        case 1, 2: walk.finds(rest, inside: .events)
        case 3 where walk.next == UInt8(ascii: "t"): walk.finds(rest, in: .reset)
        default: walk.skip()
        }
      }
    case .entries where isArray: return findsElement(rest) { $0.finds($2, in: .entry($1)) }
    case .entry where isArray: return findsElement(rest) { $0.finds($2, in: .slot) }
    case .events where isArray: return findsElement(rest) { $0.finds($2, in: .event) }
    default: return skip()
    }
  }

  /// As ``finds(_:in:)`` for a value that is not a part itself: the slot can only end at a value inside of it.
  private mutating func finds(_ rest: Int, inside place: PartGrammar.Place) -> Bool {
    if rest <= slot.count { return finds(rest, in: place) }
    guard next == UInt8(ascii: "[") || next == UInt8(ascii: "{") else { return skip() }
    position += 1
    return next != UInt8(ascii: "]") && next != UInt8(ascii: "}")
  }

  private mutating func findsMember(_ rest: Int, in place: PartGrammar.Place) -> Bool {
    guard next == UInt8(ascii: "{") else { return skip() }
    position += 1
    while next == UInt8(ascii: "\"") {
      let start = position + 1
      position = JSONSyntax.end(ofStringAt: position, in: bytes)
      let name = start..<max(start, position - 1)
      take(UInt8(ascii: ":"))
      if let (rest, name) = step(name, from: rest) {
        let isNumber = next.map { $0 == UInt8(ascii: "-") || $0.isASCIIDigit } ?? false
        if finds(rest, in: PartGrammar.place(ofMember: name, isNumber: isNumber, in: place)) { return true }
      } else {
        skip()
      }
      take(UInt8(ascii: ","))
    }
    take(UInt8(ascii: "}"))
    return false
  }

  /// Whether the element has the rest of the slot whose index is the next step.
  private mutating func findsElement(_ rest: Int, _ finds: (inout SlotWalk, Int, Int) -> Bool) -> Bool {
    let digits = slot[rest...].prefix { $0.isASCIIDigit }
    guard digits.endIndex == slot.count || slot[digits.endIndex] == UInt8(ascii: "."),
      let wanted = Int(String(decoding: digits, as: UTF8.self)),
      wanted == 0 ? digits.count == 1 : digits.first != UInt8(ascii: "0")
    else { return skip() }
    position += 1
    var index = 0
    while let byte = next, byte != UInt8(ascii: "]") {
      if index == wanted ? finds(&self, index, digits.endIndex + 1) : skip() { return true }
      take(UInt8(ascii: ","))
      index += 1
    }
    take(UInt8(ascii: "]"))
    return false
  }

  /// The index after the next step of the slot, if that is the name of a member. It is more than the length of the slot after the
  /// last step.
  private func step(_ name: Range<Int>, from rest: Int) -> (rest: Int, name: String)? {
    let raw = bytes[name].prefix(PartGrammar.longestName)
    let isPlain = raw.count == name.count && !raw.contains(UInt8(ascii: "\\"))
    if isPlain, !slot[rest...].starts(with: raw) { return nil }
    let name = isPlain ? String(decoding: raw, as: UTF8.self) : JSONSyntax.unescaped(Array(raw)[...])
    let end = rest + name.utf8.count
    guard slot[rest...].starts(with: name.utf8), end == slot.count || slot[end] == UInt8(ascii: ".") else { return nil }
    return (end + 1, name)
  }

  // MARK: - JSON

  /// The next byte that is not white space.
  private var next: UInt8? {
    mutating get {
      while position < bytes.count, bytes[position].isASCIIWhitespace { position += 1 }
      return position < bytes.count ? bytes[position] : nil
    }
  }

  private mutating func take(_ byte: UInt8) { if next == byte { position += 1 } }

  /// Reads a value. Nearly all bytes of a log are read here, so the position is a local variable.
  ///
  /// - Returns: `false`.
  @discardableResult
  private mutating func skip() -> Bool {
    var (depth, position) = (0, position)
    defer { self.position = position }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: continue
      default: while position < bytes.count, !Self.ends(bytes[position]) { position += 1 }
      }
      if depth <= 0 { break }
    }
    return false
  }

  /// Whether a byte ends a number or a word.
  private static func ends(_ byte: UInt8) -> Bool {
    byte.isASCIIWhitespace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{")
      || byte == UInt8(ascii: "[")
  }
}
