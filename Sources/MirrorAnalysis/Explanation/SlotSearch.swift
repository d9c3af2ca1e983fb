internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// Searches the JSON of updates for a slot, named as in ``DiffExplanation/Part/path``.
///
/// ```swift
/// SlotSearch("1.k").isFound(in: #"{"1":{"k":{"0":{"3":"a"},"kc":1}}}"#)   // true
/// ```
///
/// The search follows the steps of the slot and skips all other values. It decodes only the names
/// on its way, so that a log of 10,000 updates can be searched for each refresh of a page. The
/// inspector filters the log with it, for `slot:1.k`.
package struct SlotSearch: Sendable {
  private let slot: [UInt8]

  /// - Parameter slot: a path such as `1.k.0`. An empty path is never found.
  package init(_ slot: String) { self.slot = Array(slot.utf8) }

  /// Whether the update has a part with the path of the slot, or with a path below it.
  ///
  /// - Parameter update: valid JSON. For another text the result is unspecified.
  /// - Complexity: O(*bytes of the update*).
  package func isFound(in update: String) -> Bool {
    if slot.isEmpty { return false }
    var update = update
    return update.withUTF8 { bytes in
      slot.withUnsafeBufferPointer { slot in
        var walk = SlotWalk(scanner: JSONScanner(bytes), slot: slot)
        return walk.finds(0, in: .update)
      }
    }
  }
}

/// One pass over an update, by ``DiffGrammar``. A function that returns `false` has read its value
/// completely.
private struct SlotWalk {
  var scanner: JSONScanner
  let slot: UnsafeBufferPointer<UInt8>

  /// Whether the next value contains the steps of the slot from the index `rest` on. Steps are
  /// formed as in ``PartReader``.
  mutating func finds(_ rest: Int, in part: DiffPart) -> Bool {
    let isEnd = rest > slot.count
    // A transparent part is not listed itself, so the slot can end only at a part inside of it.
    if isEnd, !part.isTransparent { return true }
    switch scanner.next {
    case UInt8(ascii: "{") where part.hasKeys: return isEnd ? hasContent() : findsMember(rest, in: part)
    case UInt8(ascii: "["): return isEnd ? hasContent() : findsElement(rest, in: part)
    default:
      scanner.value()
      return false
    }
  }

  /// Whether the next object or array is not empty.
  private mutating func hasContent() -> Bool {
    var inside = scanner
    inside.take(scanner.next ?? 0)
    scanner.value()
    return inside.next != UInt8(ascii: "]") && inside.next != UInt8(ascii: "}")
  }

  private mutating func findsMember(_ rest: Int, in part: DiffPart) -> Bool {
    scanner.take(UInt8(ascii: "{"))
    while let name = scanner.name() {
      guard let (rest, name) = step(name, from: rest) else {
        scanner.value()
        continue
      }
      let isNumber = scanner.next.map { $0 == UInt8(ascii: "-") || $0.isASCIIDigit } ?? false
      if finds(rest, in: DiffGrammar.part(of: name, isNumber: isNumber, in: part)) { return true }
    }
    return false
  }

  /// Whether the element whose index is the next step of the slot contains the steps after it.
  private mutating func findsElement(_ rest: Int, in part: DiffPart) -> Bool {
    let digits = slot[rest...].prefix { $0.isASCIIDigit }
    guard digits.endIndex == slot.count || slot[digits.endIndex] == UInt8(ascii: "."),
      case .index(let wanted) = DiffName(String(decoding: digits, as: UTF8.self)),
      let inner = DiffGrammar.part(ofElement: wanted, in: part)
    else {
      scanner.value()
      return false
    }
    scanner.take(UInt8(ascii: "["))
    var index = 0
    while scanner.hasElement() {
      let isWanted = index == wanted && (inner != .reset || scanner.next == UInt8(ascii: "t"))
      if isWanted, finds(digits.endIndex + 1, in: inner) { return true }
      if !isWanted { scanner.value() }
      index += 1
    }
    return false
  }

  /// If the next step of the slot is the name of a member, returns the name and the index of the
  /// step after it. After the last step, this index is greater than the length of the slot.
  private func step(_ name: Range<Int>, from rest: Int) -> (rest: Int, name: DiffName)? {
    let raw = scanner.bytes[name].prefix(PartReader.longestName)
    let isPlain = raw.count == name.count && !raw.contains(UInt8(ascii: "\\"))
    if isPlain, !slot[rest...].starts(with: raw) { return nil }
    let name = JSONSyntax.unescaped(Array(raw)[...])
    let end = rest + name.utf8.count
    guard slot[rest...].starts(with: name.utf8), end == slot.count || slot[end] == UInt8(ascii: ".") else { return nil }
    return (end + 1, DiffName(name))
  }
}
