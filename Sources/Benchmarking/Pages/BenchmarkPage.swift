/// A page to measure on: a mount, and diffs that are a cycle: after the last one the page is as mounted, so they can go
/// round for as long as it takes.
package struct BenchmarkPage: Sendable {
  /// How comprehensions are sent.
  package enum Format: String, Sendable, Codable {
    /// LiveView 1.1 and later: entries have numbers, and a diff names those that changed.
    case keyed
    /// LiveView 1.0: a list that changed comes whole.
    case positional
  }

  /// As the public figures of other clients call it; `.d` at its end is the positional format.
  package var name: String
  package var format: Format
  /// How many elements the page has after the mount.
  package var elements: Int
  /// The Rendered, as JSON.
  package var mount: [UInt8]
  package var diffs: [[UInt8]]
  /// How many things a diff says, on average: changed texts, or entries of a list.
  package var entries: Double

  init(_ name: String, _ format: Format = .keyed, elements: Int, mount: Wire, diffs: [Wire]) {
    self.name = name
    self.format = format
    self.elements = elements
    self.mount = mount.bytes
    self.diffs = diffs.map(\.bytes)
    entries = Double(diffs.reduce(0) { $0 + $1.entries }) / Double(max(1, diffs.count))
  }

  /// The bytes of a diff, on average.
  package var diffBytes: Double { Double(diffs.reduce(0) { $0 + $1.count }) / Double(max(1, diffs.count)) }
}
