/// Parts of most inputs.
enum JSON {
  /// The members `"0": …, "1": …` without braces. `value` returns JSON.
  static func members(_ indexes: some Sequence<Int>, _ value: (Int) -> String) -> String {
    indexes.map { "\"\($0)\":\(value($0))" }.joined(separator: ",")
  }

  /// A JSON string.
  static func text(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case "\n": json += "\\n"
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// An array of strings.
  static func texts(_ texts: some Sequence<String>) -> String { "[\(texts.map(text).joined(separator: ","))]" }

  /// A keyed comprehension. `entry` returns JSON: an object, an old index, or `[old index,
  /// object]`.
  static func keyed(statics: [String]? = nil, _ indexes: some Sequence<Int>, count: Int, _ entry: (Int) -> String)
    -> String
  {
    let statics = statics.map { "\"s\":\(texts($0))," } ?? ""
    let entries = members(indexes, entry)
    return "{\(statics)\"k\":{\(entries)\(entries.isEmpty ? "" : ",")\"kc\":\(count)}}"
  }

  /// The numbers below `n`, shuffled in the same way in every run.
  static func shuffled(_ n: Int) -> [Int] {
    var (numbers, state) = (Array(0..<n), UInt64(n))
    for i in stride(from: n - 1, to: 0, by: -1) {
      // SplitMix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      numbers.swapAt(i, Int((z ^ (z >> 31)) % UInt64(i + 1)))
    }
    return numbers
  }
}
