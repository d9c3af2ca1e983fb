package import RenderedTree

/// The reason why an input was not applied. The view is then exactly as before. Each function that
/// feeds a view throws it, and the HTTP server answers with it.
public struct UpdateError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error. Journals store the raw value with each rejected input, so the raw values
  /// must not change.
  public enum Kind: String, Sendable, Hashable {
    /// The input is not a JSON text in valid Unicode.
    case notJSON
    /// The input is JSON, but not a Rendered or a diff, or the diff does not fit the tree. The log
    /// gets an entry.
    case unfitting
    /// There is no such view, or it was never mounted.
    case unknownView
    /// The view was evicted because of a limit. A mount brings it back.
    case evicted
    /// The view id cannot be used in a URL.
    case invalidView
    /// The frame belongs to another join of the topic than the current one. The client would drop
    /// it.
    case staleFrame
    /// A subscriber tried to update the view that was calling it, or a view that another thread was
    /// updating.
    case calledBySubscriber
    /// A chain of deferred updates does not end.
    case endless
    /// The memory of the process does not suffice. See ``UpdateOptions/memory``.
    case outOfMemory
    /// The journal does not accept the update now, or could not write it. The view does not have
    /// the update.
    case notKept
    /// Another mirror has changed the view at the same time, again and again. The view does not
    /// have the update.
    case outdated
    /// The journal has the view, but it cannot be read.
    case damaged

    /// Whether there is no such view.
    package var isMissing: Bool { self == .unknownView || self == .evicted }
  }

  /// The kind of the error.
  public var kind: Kind
  /// The problem and what to do about it, as a sentence.
  public var reason: String
  /// The place in the input as a JSON Pointer (RFC 6901).
  public var pointer: String?
  /// The offset of the problem in the input, in bytes.
  public var offset: Int?
  /// The place of the input in the file from which it was read, such as `line 7`.
  package var part: String?

  /// Creates an error.
  public init(_ kind: Kind, reason: String, pointer: String? = nil, offset: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.pointer = pointer
    self.offset = offset
  }

  /// The place, if it is known, and the reason.
  public var description: String {
    let place = pointer.map { $0.isEmpty ? nil : "at \($0)" } ?? offset.map { "at byte \($0)" }
    let places = [part, place].compactMap(\.self)
    return places.isEmpty ? reason : "\(places.joined(separator: ", ")): \(reason)"
  }

  // MARK: - From the stages

  /// The error of an input that could not be decoded.
  package init(_ error: WireError) {
    switch error {
    case .notJSON(let offset, let reason): self.init(.notJSON, reason: reason, offset: offset)
    case .wrongShape(let path, let reason): self.init(.unfitting, reason: reason, pointer: path.pointer)
    }
  }

  /// The error of a diff that could not be merged.
  ///
  /// - Parameter place: the place of the update in the input.
  package init(_ error: MergeError, in place: SlotPath) {
    self.init(.unfitting, reason: error.reason, pointer: SlotPath(place.steps + error.path.steps).pointer)
  }

  /// The error of a tree that could not be rendered.
  ///
  /// - Parameter place: the place of the update in the input.
  package init(_ error: RenderError, in place: SlotPath) {
    self.init(.unfitting, reason: error.reason, pointer: SlotPath(place.steps + error.path.steps).pointer)
  }
}
