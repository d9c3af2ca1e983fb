/// A pseudorandom number generator with a fixed seed.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// SplitMix64.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Small random pages that have much in common, so an update keeps most nodes.
package enum RandomMarkup {
  package static func page(_ random: inout SeededRandom) -> String { content(depth: 0, &random) }

  private static func content(depth: Int, _ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in node(depth: depth, &random) }.joined()
  }

  private static func node(depth: Int, _ random: inout SeededRandom) -> String {
    let kind = Int.random(in: 0..<8, using: &random)
    if kind == 0 { return "text \(Int.random(in: 0..<3, using: &random)) &lt;" }
    if kind == 1 { return "<!-- comment \(Int.random(in: 0..<2, using: &random)) -->" }
    let tag = ["div", "section", "span", "pre", "textarea"].randomElement(using: &random) ?? "div"
    let id = Bool.random(using: &random) ? #" id="\#(Int.random(in: 0..<12, using: &random))""# : ""
    let name = Bool.random(using: &random) ? #" class="\#(Int.random(in: 0..<2, using: &random))&quot;""# : ""
    if tag == "textarea" { return "<textarea\(name)>\n\nraw</textarea>" }
    let inner = depth < 4 ? content(depth: depth + 1, &random) : "end"
    // The parser drops a line feed after `<pre>`, so one is written.
    return "<\(tag)\(id)\(name)>\(tag == "pre" ? "\n" : "")\(inner)</\(tag)>"
  }
}
