/// Formats times in milliseconds. The text of a record, and the JSON and pages of the inspector,
/// use it for the latency of an ``UpdateCause``.
package enum Milliseconds {
  /// `12` for a whole number, otherwise with all decimals, such as `12.3`.
  package static func text(_ milliseconds: Double) -> String {
    milliseconds == milliseconds.rounded() && milliseconds.magnitude < 1e15
      ? String(Int64(milliseconds)) : String(milliseconds)
  }
}
