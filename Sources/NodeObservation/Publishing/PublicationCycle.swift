/// Work that was put off puts off itself again, over and over: two subscribers that each answer the other, mostly.
///
/// ```
/// the publication does not end: open → total → price → total (100 times put off)
/// ```
public struct PublicationCycle: Error, Sendable, Hashable, CustomStringConvertible {
  /// The labels of the chain, from what was put off first to what was refused.
  public let chain: [String]

  package init(chain: [String]) { self.chain = chain }

  /// How the chain begins, before it repeats itself.
  public var beginning: [String] { Array(chain[..<shape.start]) }

  /// The part that repeats itself, once; empty where none does.
  public var cycle: [String] { Array(chain[shape.start..<shape.start + shape.period]) }

  /// Where it begins, the part that repeats itself, and how often it was put off.
  public var description: String {
    var labels = beginning
    if shape.period > 0 {
      labels += cycle + [cycle[0]]
    } else {
      labels = chain.count <= 6 ? chain : chain.prefix(3) + ["…"] + chain.suffix(3)
    }
    return "the publication does not end: \(labels.joined(separator: " → ")) (\(chain.count - 1) times put off)"
  }

  /// The shortest part that the end of the chain repeats at least twice, and where its first repetition begins.
  ///
  /// - Complexity: O(*n*²) for a chain of *n*, which is no longer than ``Publication/maximumDepth`` and one.
  private var shape: (start: Int, period: Int) {
    for period in 1..<max(2, chain.count / 2 + 1) {
      var start = chain.count - period
      while start > 0, chain[start - 1] == chain[start - 1 + period] { start -= 1 }
      if chain.count - start >= 2 * period { return (start, period) }
    }
    return (chain.count, 0)
  }
}
