package import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// The changes between two versions of a view in one epoch. `GET /views/{view}/compare` answers
/// with it.
package struct VersionComparison: Sendable {
  /// The id of the view.
  package let view: String
  /// The epoch of both versions.
  package let epoch: Int
  /// The version before the changes. It may be later than ``to``.
  package let from: Int
  /// The version after the changes.
  package let to: Int
  /// The time of the update that made the version ``to``, in milliseconds since 1970.
  package let at: Int64
  /// The number of nodes in the document of the version ``to``, including the root.
  package let nodes: Int
  /// The changes that turn the document of ``from`` into the document of ``to``.
  package let changeSet: ChangeSet
  /// The nodes whose publishers would send a signal if the changes were one update, in document
  /// order.
  package let notified: [NodeRef]
  let displayNames: DisplayNames
}

extension ViewState {
  /// Compares two versions.
  ///
  /// - Returns: `nil` if one of the two does not exist yet or is not kept any more.
  /// - Complexity: that of ``document(at:)``, plus O(*n* log *n*) for *n* nodes in both versions.
  package func comparison(from: Int, to: Int) -> VersionComparison? {
    guard let old = document(at: from), let new = document(at: to) else { return nil }
    let changes = self.changes(from: (from, old), to: (to, new))
    return VersionComparison(
      view: id, epoch: epoch, from: from, to: to, at: log.record(of: to)?.at ?? updatedAt, nodes: new.count,
      changeSet: changes, notified: changes.notified(in: new), displayNames: changes.displayNames(in: new))
  }

  /// The changes between two versions. Between a version and the next one, these are the changes of
  /// the log: a comparison of the two documents could find other moves with the same result.
  func changes(
    from old: (version: Int, document: Document), to new: (version: Int, document: Document)
  ) -> ChangeSet {
    if old.version == new.version { return ChangeSet() }
    let logged = new.version == old.version + 1 ? log.record(of: new.version)?.changeSet : nil
    return logged ?? ChangeSet(from: old.document, to: new.document)
  }
}

extension VersionComparison: CustomStringConvertible {
  /// The changes as lines for a terminal, as ``ChangeRecord/description`` has them:
  ///
  ///     main v1 → v3  1 node changed, 1 to notify
  ///     ~ 15 text  "1" → "3"  in 14 <p>
  package var description: String {
    let counts = "\(Formatted.count(changeSet.changes.count, "node")) changed"
    let headline = "\(view) v\(from) → v\(to)  \(counts), \(notified.count) to notify"
    return ([headline] + changeSet.lines(named: displayNames)).joined(separator: "\n")
  }

  /// As ``description``, with a line feed at the end.
  package var text: String { description + "\n" }
}
