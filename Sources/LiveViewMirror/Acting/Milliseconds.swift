/// Writes times in milliseconds, for the JSON and the texts of a cause.
package enum Milliseconds {
  /// `12`, or with a tenth `12.3`.
  package static func text(_ milliseconds: Double) -> String {
    milliseconds == milliseconds.rounded() && milliseconds.magnitude < 1e15
      ? String(Int64(milliseconds)) : String(milliseconds)
  }
}
