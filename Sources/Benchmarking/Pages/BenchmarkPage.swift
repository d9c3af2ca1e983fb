/// A page for measurements: a mount and a cycle of diffs. The last diff restores the mounted page,
/// so the cycle can be repeated any number of times. ``BenchmarkPages`` makes each page.
package struct BenchmarkPage: Sendable {
  /// The wire format of comprehensions.
  package enum Format: String, Sendable, Codable {
    /// LiveView 1.1 and later: entries have numbers, and a diff contains only changed entries.
    case keyed
    /// LiveView 1.0: a changed list is sent whole.
    case positional
  }

  /// The name, such as `e_table10k_cell`, by which `docs/performance.md` compares the page with
  /// other clients. The suffix `.d` means the positional format.
  package var name: String
  package var format: Format
  /// The number of elements after the mount.
  package var elements: Int
  /// The Rendered as JSON.
  package var mount: [UInt8]
  package var diffs: [[UInt8]]
  /// The mean number of changed texts or list entries in a diff.
  package var entries: Double

  init(_ name: String, _ format: Format = .keyed, elements: Int, mount: Wire, diffs: [Wire]) {
    self.name = name
    self.format = format
    self.elements = elements
    self.mount = mount.bytes
    self.diffs = diffs.map(\.bytes)
    entries = Double(diffs.reduce(0) { $0 + $1.entries }) / Double(max(1, diffs.count))
  }

  /// The mean size of a diff in bytes.
  package var diffBytes: Double { Double(diffs.reduce(0) { $0 + $1.count }) / Double(max(1, diffs.count)) }
}
