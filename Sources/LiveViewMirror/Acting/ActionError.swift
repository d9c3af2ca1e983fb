/// The reason why an action sends nothing. The response to `POST /views/{view}/push` shows it.
package struct ActionError: Error, Sendable, CustomStringConvertible {
  /// The problem, and what can be done.
  package var reason: String
  /// The member of the request that is wrong, as a JSON Pointer.
  package var pointer: String
  /// Whether the action is possible, but the document has no binding for it.
  var hasNoBinding = false

  package init(_ reason: String, at pointer: String = "/node") { (self.reason, self.pointer) = (reason, pointer) }

  /// An action without a binding.
  init(withoutBinding reason: String) {
    self.init(reason)
    hasNoBinding = true
  }

  package var description: String { reason }
}
