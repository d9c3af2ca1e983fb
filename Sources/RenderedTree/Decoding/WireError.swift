/// Why an input could not be read.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is no JSON text (RFC 8259) of valid Unicode. `offset` counts bytes.
  case notJSON(offset: Int, reason: String)
  /// It is JSON, and no Rendered, diff or frame.
  case wrongShape(at: SlotPath, reason: String)

  package var description: String {
    switch self {
    case .notJSON(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .wrongShape(let path, let reason): "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)"
    }
  }
}
