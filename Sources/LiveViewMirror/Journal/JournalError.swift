/// The reason why a journal does not keep or return something. Stores throw it, and an
/// ``UpdateError`` passes it on to the caller of the update or request.
package struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The store cannot be opened, and waiting does not help: it is not a database, it belongs to
    /// another program or to a newer version, it is in use, or the permission is missing.
    case unusable
    /// The store does not accept writes now: full disk, lost connection.
    case unavailable
    /// The bytes that the store returned cannot be read.
    case damaged
    /// The change was not written, because another mirror has changed the same view first.
    case outdated
  }

  package var kind: Kind
  /// The problem, its place, and what to do, as a sentence without a full stop.
  package var reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  package var description: String { reason }
}
