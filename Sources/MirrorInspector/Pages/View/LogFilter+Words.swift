internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument

/// Reading the words of a filter. A word that cannot be read is a problem that the page shows,
/// because a filter that silently matches nothing looks like a log without such entries. The
/// initializer of ``LogFilter`` calls ``read(_:)``. The search of the tree calls it too, to offer a
/// search of the diffs for the same text.
extension LogFilter {
  /// The maximum number of words.
  private static let longest = 20
  private static let mostTexts = 5
  private static let names = ["event", "node", "slot", "op", "bytes", "is"]

  /// - Returns: the words that can be read, and the problems: a sentence for each word that cannot
  ///   be read and for each exceeded limit, with code between backquotes.
  static func read(_ text: String) -> (words: [Word], problems: [String]) {
    let all = joined(text.split { $0.isWhitespace }.map(String.init))
    var (words, problems) = ([] as [Word], [] as [String])
    for text in all.prefix(longest) {
      switch word(text.replacing("`", with: "'")) {
      case .success(let word): words.append(word)
      case .failure(let problem): problems.append(problem.sentence)
      }
    }
    // Each text is searched for in all changes of the log, so the number of texts is limited.
    if words.count(where: \.isText) > mostTexts {
      problems.append("A filter has at most \(mostTexts) words without a colon: write events as `event:`.")
    }
    if all.count > longest { problems.append("A filter has at most \(longest) words, not \(all.count).") }
    return (words, problems)
  }

  /// Joins the parts of a size that contains spaces, so that `bytes:> 1 kB` becomes one word.
  private static func joined(_ parts: [String]) -> [String] {
    parts.reduce(into: []) { words, part in
      guard let last = words.last, last.hasPrefix("bytes:"), let end = last.last else { return words.append(part) }
      let isSize = end.isNumber ? Size.units[part.lowercased()] != nil : ":<>=".contains(end)
      if isSize { words[words.count - 1] += part } else { words.append(part) }
    }
  }

  private struct Problem: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
  }

  private static func word(_ text: String) -> Result<Word, Problem> {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return bare(text) }
    let (name, value) = (parts[0], parts[1])
    switch name {
    case _ where !names.contains(name):
      let known = names.map { "`\($0):`" }.joined(separator: ", ")
      return problem("`\(name):` is not known: \(known). For an event with a colon, write `event:\(text)`.")
    case _ where value.isEmpty: return problem("`\(text)` has no value.")
    case "event": return .success(.cause(value.lowercased()))
    case "slot": return .success(.slot(SlotSearch(value)))
    case "node":
      guard let number = Int(value), number > 0 else {
        return problem("`\(text)` must have a number, as in `node:15`.")
      }
      return .success(.node(number))
    case "op":
      guard let op = ChangeOp(rawValue: value) else {
        return unknown(text, of: ChangeOp.allCases.map { "op:\($0.rawValue)" })
      }
      return .success(.op(op))
    case "bytes":
      guard let sizes = Size.range(value) else {
        return problem("`\(text)` is not a size: `bytes:200`, `bytes:>=1.5kB`, `bytes:<2MB`.")
      }
      return .success(.bytes(sizes))
    default:
      guard let word = flags.first(where: { $0.name == value })?.word else {
        return unknown(text, of: flags.map { "is:\($0.name)" })
      }
      return .success(word)
    }
  }

  private static let flags: [(name: String, word: Word)] = [
    ("waste", .waste), ("diagnostic", .diagnostic), ("rejected", .rejected),
  ]

  /// Reads a word without a colon. It is a text, unless it only lacks the colon, such as
  /// `bytes>200`.
  private static func bare(_ text: String) -> Result<Word, Problem> {
    let name = text.prefix { !"<>=".contains($0) }
    guard name.count < text.count, names.contains(String(name)) else {
      return .success(.text(FoldedText(text), ElementName(text)))
    }
    let value = name == "bytes" ? text.dropFirst(name.count) : text.dropFirst(name.count).drop { "<>=".contains($0) }
    return problem("`\(text)` needs a colon: `\(name):\(value)`.")
  }

  private static func unknown(_ text: String, of known: [String]) -> Result<Word, Problem> {
    problem("`\(text)` is not known: \(known.map { "`\($0)`" }.joined(separator: ", ")).")
  }

  private static func problem(_ sentence: String) -> Result<Word, Problem> { .failure(Problem(sentence)) }
}

/// The sizes of `bytes:`, as the page writes them.
private enum Size {
  static let units = [
    "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
  ]

  /// Reads `200`, `>200`, `<=1.5kB`, `=2MB`. The page cuts sizes off after one decimal digit, so
  /// `1.5kB` without a comparison means 1,500 to 1,599 bytes.
  ///
  /// - Returns: `nil` for other texts.
  static func range(_ text: String) -> ClosedRange<Int>? {
    let sign = text.prefix { "<>=".contains($0) }
    guard let (bytes, step) = number(text.dropFirst(sign.count)) else { return nil }
    switch sign {
    case "", "=": return bytes...bytes + step - 1
    case ">": return bytes + 1...Int.max
    case ">=": return bytes...Int.max
    case "<": return 0...max(0, bytes - 1)
    case "<=": return 0...bytes
    default: return nil
    }
  }

  /// Reads a number with a unit. `step` is the number of bytes by which the last digit counts: 100
  /// for `1.5kB`.
  private static func number(_ text: Substring) -> (bytes: Int, step: Int)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let name = text.dropFirst(digits.count).lowercased()
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...9).contains($0.count) }),
      var step = name.isEmpty ? 1 : units[name], let whole = Int(parts[0])
    else { return nil }
    var bytes = whole * step
    for digit in parts.dropFirst().joined() {
      guard step > 1, let value = digit.wholeNumberValue else { return nil }
      step /= 10
      bytes += value * step
    }
    return (bytes, step)
  }
}
