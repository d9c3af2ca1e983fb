package import RenderedTree

/// Why an input was not applied. After every one of them the view is exactly as before.
public struct UpdateError: Error, Sendable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// No JSON text of valid Unicode.
    case notJSON
    /// JSON that is no Rendered, no diff, or no diff that fits this tree. Kept in the log.
    case unfitting
    /// There is no such view, or it was never mounted.
    case unknownView
    /// A view id that could not be named in a URL.
    case invalidView
    /// A frame of another join of the topic than the current one: the client would drop it.
    case staleFrame
    /// A subscriber tried to update the view that was calling it, or one that another thread was updating.
    case calledBySubscriber
    /// An update that was put off would have caused itself for ever.
    case endless
  }

  public var kind: Kind
  /// What is wrong and what to do about it, as a sentence.
  public var reason: String
  /// Where in the input (JSON Pointer, RFC 6901).
  public var pointer: String?
  /// Where in the input, in bytes.
  public var offset: Int?

  public init(_ kind: Kind, reason: String, pointer: String? = nil, offset: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.pointer = pointer
    self.offset = offset
  }

  public var description: String {
    let place = pointer.map { $0.isEmpty ? "" : "at \($0): " } ?? offset.map { "at byte \($0): " } ?? ""
    return place + reason
  }

  // MARK: - From the stages

  package init(_ error: WireError) {
    switch error {
    case .notJSON(let offset, let reason): self.init(.notJSON, reason: reason, offset: offset)
    case .wrongShape(let path, let reason): self.init(.unfitting, reason: reason, pointer: path.pointer)
    }
  }

  /// - Parameter place: where the update stands in the input.
  package init(_ error: MergeError, in place: SlotPath) {
    self.init(.unfitting, reason: error.reason, pointer: SlotPath(place.steps + error.path.steps).pointer)
  }

  package init(_ error: RenderError, in place: SlotPath) {
    self.init(.unfitting, reason: error.reason, pointer: SlotPath(place.steps + error.path.steps).pointer)
  }
}
