/// Why an input is unreadable.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not a JSON text (RFC 8259) of valid UTF-8. `offset` is in bytes.
  case notJSON(offset: Int, reason: String)
  /// Valid JSON, but not a Rendered, diff or frame, or beyond a limit.
  case wrongShape(at: SlotPath, reason: String)

  package var description: String {
    switch self {
    case .notJSON(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .wrongShape(let path, let reason): "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)"
    }
  }
}
