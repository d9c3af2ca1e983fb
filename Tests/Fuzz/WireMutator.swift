import Foundation
import RecordingFixtures

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int) -> Int

/// Mutates an input so that it usually stays JSON: whole values are copied, exchanged, removed and
/// replaced.
@_cdecl("LLVMFuzzerCustomMutator")
func mutateOneInput(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: UInt32) -> Int {
  var random = SplitMix(state: UInt64(seed))
  // libFuzzer's own mutations of bytes are also used, because it knows with which values the code
  // compares them.
  if Int.random(in: 0..<4, using: &random) == 0 { return mutateBytes(bytes, count, room) }
  var input = Array(UnsafeBufferPointer(start: bytes, count: count))
  for _ in 0...Int.random(in: 0..<3, using: &random) { WireMutator.mutate(&input, &random) }
  guard input.count <= room, !input.isEmpty else { return mutateBytes(bytes, count, room) }
  input.withUnsafeBufferPointer { bytes.update(from: $0.baseAddress ?? UnsafePointer(bytes), count: $0.count) }
  return input.count
}

/// Mutations of lines of JSON.
enum WireMutator {
  private static let values = [
    "\"\"", "\"x\"", "\" class=\\\"a\\\"\"", "\"<b>\"", "\"</b>\"", "\"<p>x\"", "\"<!--\"", "\"&amp;\"", "0", "1", "2",
    "-1", "{}",
    "[]", "null", "true", "[\"a\",\"b\"]", "{\"s\":[\"<i>\",\"</i>\"],\"0\":\"x\"}",
    "{\"s\":[\"<div id=a>\",\"</div>\"],\"0\":\"y\",\"r\":1}",
    "{\"s\":[\"<li>\",\"</li>\"],\"k\":{\"0\":{\"0\":\"a\"},\"1\":{\"0\":\"b\"},\"kc\":2}}",
    "{\"k\":{\"0\":1,\"1\":0,\"kc\":2}}",
    "{\"k\":{\"kc\":0}}", "{\"s\":0,\"p\":{\"0\":[\"<u>\",\"</u>\"]},\"0\":\"z\"}",
    "{\"s\":[\"<li id=\\\"\",\"\\\">\",\"</li>\"],\"k\":{\"0\":{\"0\":\"i1\",\"1\":\"x\"},\"kc\":1},\"stream\":[\"0\",[[\"i1\",-1,null,false]],[],false]}",
    "{\"s\":[\"<tr><td>\",\"</td></tr>\"],\"d\":[[\"a\"],[\"b\"]]}", "{\"d\":[]}",
  ].map { Array($0.utf8) }

  private static let members = [
    "\"0\":", "\"1\":", "\"2\":", "\"s\":", "\"d\":", "\"k\":", "\"kc\":", "\"c\":", "\"p\":", "\"r\":", "\"t\":",
    "\"e\":", "\"stream\":",
    "\"km\":",
  ].map { Array($0.utf8) }

  private static let markup = [
    "<table>", "<tr>", "<td>", "<caption>", "<select>", "<option>", "<svg>", "<template>", "<b>", "</b>", "<a>",
    "<form>", "<pre>",
    "<textarea>", "</p>", "<br>", " id=\\\"a\\\"", " phx-update=\\\"stream\\\"", " phx-update=\\\"ignore\\\"", "<?x ?>",
    "<!---->", "&lt;",
    " phx-update=\\\"append\\\"", "<selectedcontent>", "\\u0000", "<details open>", " data-phx-component=\\\"1\\\"",
    "<button>", "\\\"", ">",
  ].map { Array($0.utf8) }

  static func mutate(_ input: inout [UInt8], _ random: inout SplitMix) {
    let spans = self.spans(of: input)
    guard let span = spans.randomElement(using: &random) else {
      input += values.randomElement(using: &random) ?? []
      return
    }
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1: input.replaceSubrange(span, with: values.randomElement(using: &random) ?? [])
    case 2, 3:
      guard let other = spans.randomElement(using: &random) else { return }
      input.replaceSubrange(span, with: Array(input[other]))
    case 4:
      let copy = Array(input[span])
      input.insert(contentsOf: [UInt8(ascii: ",")] + copy, at: span.upperBound)
    case 5: remove(span, from: &input)
    case 6: addMember(to: span, of: &input, &random)
    case 7: exchangeNumber(in: span, of: &input, &random)
    case 8, 9: insertMarkup(in: span, of: &input, &random)
    default: exchangeLines(of: &input, &random)
    }
  }

  /// The ranges of values and of quoted names: strings, numbers, objects and arrays.
  private static func spans(of input: [UInt8]) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var open: [Int] = []
    var place = 0
    while place < input.count {
      let start = place
      switch input[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < input.count, input[place] != UInt8(ascii: "\"") { place += input[place] == 0x5C ? 2 : 1 }
        place = min(place, input.count - 1)
        spans.append(start..<place + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(place)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if let first = open.popLast() { spans.append(first..<place + 1) }
      case UInt8(ascii: "\n"): open = []
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        while place + 1 < input.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(input[place + 1]) { place += 1 }
        spans.append(start..<place + 1)
      default: break
      }
      place += 1
    }
    return spans
  }

  /// The range of a value with its comma and its name.
  private static func remove(_ span: Range<Int>, from input: inout [UInt8]) {
    var (start, end) = (span.lowerBound, span.upperBound)
    if start > 1, input[start - 1] == UInt8(ascii: ":") {
      start -= 2
      while start > 0, input[start - 1] != UInt8(ascii: "\"") { start -= 1 }
      start = max(start - 1, 0)
    }
    if end < input.count, input[end] == UInt8(ascii: ",") {
      end += 1
    } else if start > 0, input[start - 1] == UInt8(ascii: ",") {
      start -= 1
    }
    input.removeSubrange(start..<end)
  }

  private static func addMember(to span: Range<Int>, of input: inout [UInt8], _ random: inout SplitMix) {
    guard input[span.lowerBound] == UInt8(ascii: "{") else { return }
    let member = (members.randomElement(using: &random) ?? []) + (values.randomElement(using: &random) ?? [])
    let isEmpty = span.count == 2
    input.insert(contentsOf: isEmpty ? member : member + [UInt8(ascii: ",")], at: span.lowerBound + 1)
  }

  private static func exchangeNumber(in span: Range<Int>, of input: inout [UInt8], _ random: inout SplitMix) {
    let digits = span.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(input[$0]) }
    guard let digit = digits.randomElement(using: &random) else { return }
    input[digit] = UInt8(ascii: "0") + UInt8.random(in: 0..<4, using: &random)
  }

  private static func insertMarkup(in span: Range<Int>, of input: inout [UInt8], _ random: inout SplitMix) {
    guard input[span.lowerBound] == UInt8(ascii: "\""), span.count >= 2 else { return }
    let place = Int.random(in: span.lowerBound + 1..<span.upperBound, using: &random)
    guard input[place - 1] != 0x5C else { return }
    input.insert(contentsOf: markup.randomElement(using: &random) ?? [], at: place)
  }

  /// Repeats, removes or exchanges a whole message.
  private static func exchangeLines(of input: inout [UInt8], _ random: inout SplitMix) {
    var lines = input.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    guard let line = lines.indices.randomElement(using: &random),
      let other = lines.indices.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: lines.insert(lines[line], at: other)
    case 1: lines.swapAt(line, other)
    case 2: lines.append([UInt8(ascii: "!")] + lines[line].drop { $0 == UInt8(ascii: "!") })
    default: if lines.count > 2 { lines.remove(at: line) }
    }
    input = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
