/// Generates words and numbers that look like real data. Two sources with the same seed generate
/// the same sequence (SplitMix64), so the pages have the same texts in every run.
struct WordSource {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick(_ choices: [String]) -> String { choices[number(below: choices.count)] }

  mutating func word() -> String { pick(Self.words) }

  mutating func name() -> String { Self.capitalised(word()) }

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static let words = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty", "kelp", "lagoon", "maple",
    "north", "ocean", "pebble", "quartz", "river", "stone", "thicket", "umber", "valley", "willow", "yarrow", "zephyr",
  ]
}
