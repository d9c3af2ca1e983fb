/// The lengths of bars for the sizes of diffs: the square root of the size, so that the difference between 20 B, 500 B and 5 kB is
/// visible. With a linear scale only the largest diffs would have a bar, and with a logarithmic one all bars would be nearly as long.
///
/// ```swift
/// let scale = ByteScale(for: [20, 500, 5_000])
/// [20, 500, 5_000].map { scale.length(of: $0, of: 20) }   // 1, 5, 16
/// ```
///
/// The longest bar is that of the next power of two, so a new largest diff seldom changes the bars of all others.
struct ByteScale {
  private let most: Int

  /// - Parameter sizes: those that are compared. Without the mount, next to which the diffs would be invisible.
  init(for sizes: some Sequence<Int>) {
    let largest = max(1, sizes.max() ?? 1)
    let bits = Int.bitWidth - (largest - 1).leadingZeroBitCount
    most = 1 << min(bits, Int.bitWidth - 2)
  }

  /// The length of a bar, at least 1. A size beyond the scale, as a mount can have, has the longest bar.
  func length(of bytes: Int, of longest: Int) -> Int {
    let share = (Double(max(0, bytes)) / Double(most)).squareRoot()
    return min(longest, max(1, Int((Double(longest) * min(1, share)).rounded())))
  }
}
