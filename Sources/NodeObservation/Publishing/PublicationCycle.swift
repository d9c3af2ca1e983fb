/// The error that deferred work keeps deferring more work without end, usually because each of two
/// subscribers reacts to the changes of the other. ``Publication/afterwards(_:_:)`` throws this
/// error.
///
/// ```
/// the publication does not end: open → total → price → total (100 times deferred)
/// ```
public struct PublicationCycle: Error, Sendable, Hashable, CustomStringConvertible {
  /// The labels of the chain, from the work that was deferred first to the work that was refused.
  public let chain: [String]

  /// Creates an error with the labels of the chain.
  package init(chain: [String]) { self.chain = chain }

  /// The labels before the part of the chain that repeats.
  public var beginning: [String] { Array(chain[..<shape.start]) }

  /// One repetition of the part of the chain that repeats; empty if no part repeats.
  public var cycle: [String] { Array(chain[shape.start..<shape.start + shape.period]) }

  /// The beginning, one repetition of the cycle, and the number of times that work was deferred. If
  /// no part repeats, the labels of the whole chain, with the middle left out if there are more
  /// than six.
  public var description: String {
    var labels = beginning
    if shape.period > 0 {
      labels += cycle + [cycle[0]]
    } else {
      labels = chain.count <= 6 ? chain : chain.prefix(3) + ["…"] + chain.suffix(3)
    }
    return "the publication does not end: \(labels.joined(separator: " → ")) (\(chain.count - 1) times deferred)"
  }

  /// The shortest part that occurs at least twice in a row at the end of the chain, and the index
  /// of its first occurrence.
  ///
  /// - Complexity: O(*n*²) for a chain of *n* labels; *n* is at most ``Publication/maximumDepth`` +
  ///   1.
  private var shape: (start: Int, period: Int) {
    for period in 1..<max(2, chain.count / 2 + 1) {
      var start = chain.count - period
      while start > 0, chain[start - 1] == chain[start - 1 + period] { start -= 1 }
      if chain.count - start >= 2 * period { return (start, period) }
    }
    return (chain.count, 0)
  }
}
