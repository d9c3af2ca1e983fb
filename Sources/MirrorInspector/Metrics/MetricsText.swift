/// Prometheus' text format: families of samples.
struct MetricsText {
  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  private(set) var bytes: [UInt8] = []
  private var family = ""

  /// Begins a family. The samples that follow belong to it.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    family = name
    add("# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n")
  }

  mutating func sample(_ labels: [(String, String)] = [], suffix: String = "", _ value: some CustomStringConvertible) {
    let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    add("\(family)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(value)\n")
  }

  mutating func histogram(_ histogram: Histogram, _ labels: [(String, String)] = []) {
    var below = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      below += count
      sample(labels + [("le", Self.seconds(nanoseconds: bound))], suffix: "_bucket", below)
    }
    sample(labels + [("le", "+Inf")], suffix: "_bucket", histogram.count)
    sample(labels, suffix: "_sum", Self.seconds(nanoseconds: histogram.sum))
    sample(labels, suffix: "_count", histogram.count)
  }

  /// A family of one sample.
  mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: some CustomStringConvertible) {
    begin(name, kind, help)
    sample([], value)
  }

  /// A decimal fraction without rounding: `0.00025`.
  static func seconds(nanoseconds: Int) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return String(seconds) }
    var digits = String(rest)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds).\(digits)"
  }

  static func seconds(microseconds: Int) -> String { seconds(nanoseconds: microseconds * 1_000) }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
