/// The bars for the sizes of the entries in the timeline of ``ViewPage``. The length of a bar is in
/// proportion to its bytes.
///
/// ```swift
/// let scale = ByteScale(for: [20, 500, 5_000])
/// [20, 500, 5_000].map { scale.length(of: $0) }   // 1, 1, 12
/// ```
///
/// The longest bar stands for a power of two that no diff exceeds, so a new largest diff seldom
/// changes the bars of all others. The size of a mount does not count for the scale, because the
/// bars of the diffs would be too short beside it. If the mount is larger than that power of two,
/// its bar is drawn cut off.
struct ByteScale {
  private static let longest = 20
  private let most: Int

  /// - Parameter sizes: the sizes of the diffs.
  init(for sizes: some Sequence<Int>) {
    let largest = max(1, sizes.max() ?? 1)
    let bits = Int.bitWidth - (largest - 1).leadingZeroBitCount
    // The largest power of two that is an `Int` is 2^62.
    most = 1 << min(bits, Int.bitWidth - 2)
  }

  /// The length in twentieths of the longest bar, at least 1 and at most 20.
  func length(of bytes: Int) -> Int {
    let length = (Double(Self.longest) * min(1, Double(max(0, bytes)) / Double(most))).rounded()
    return max(1, Int(length))
  }

  /// The size with its bar below it.
  func bar(of bytes: Int) -> HTML {
    let cut: HTML? = bytes > most ? " cut-off" : nil
    return "<span class=\"bytes bar-\(length(of: bytes))\(cut)\">\(HTML.bytes(bytes))</span>"
  }
}
