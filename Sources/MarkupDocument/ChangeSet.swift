internal import MirrorSupport

/// All changes of one update to a document: applied to the document before the update, they give
/// the document after it.
///
/// `Morph` and scoped updates compute one for each update. A set applies only to the version from
/// which it was computed.
///
/// LiveView's client replaces the content of a portal's `template` by a copy of what the portal
/// shows elsewhere. No browser shows the copy. So the changes of the copy are listed apart, in
/// ``hidden``: no subscriber is notified of them, and the log does not list them.
///
/// Source indexes (`remove`, a move's `from`) count the children before any change of the set.
/// Target indexes (`add`, a move's `to`) count them after all changes. So the order of the list
/// does not affect the result; it is document order, for readers.
public struct ChangeSet: Sendable, Hashable {
  /// The changes that are shown, in document order.
  public var changes: [Change]
  /// The changes in the content of portals' `template` elements, in document order; including moves
  /// into that content.
  public var hidden: [Change]

  /// A set of the given changes.
  public init(_ changes: [Change] = [], hidden: [Change] = []) { (self.changes, self.hidden) = (changes, hidden) }

  /// The changes of both lists.
  package var all: [Change] { hidden.isEmpty ? changes : changes + hidden }

  mutating func append(_ change: Change, isHidden: Bool) {
    if isHidden { hidden.append(change) } else { changes.append(change) }
  }

  /// Reserves room for many changes at once, because a list that doubles its storage takes up to
  /// three times the memory of its elements while it grows. If `count` is not larger than the list,
  /// nothing is reserved.
  mutating func reserve(_ count: Int, isHidden: Bool) {
    if isHidden {
      if count > hidden.count { hidden.reserveCapacity(hidden.count + count) }
    } else if count > changes.count {
      changes.reserveCapacity(changes.count + count)
    }
  }

  /// Whether the update changed nothing that is shown.
  public var isEmpty: Bool { changes.isEmpty }
}

extension ChangeSet {
  /// The names of those nodes whose children or attributes change and which are in the document
  /// after the changes. All nodes that the changes notify are among them, except the root.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes.
  package func displayNames(in document: Document) -> DisplayNames {
    if changes.count == 1, let node = changes[0].onlyNotified {
      return DisplayNames(of: node, document.content(of: node))
    }
    var nodes: [NodeRef] = []
    for change in changes {
      if case .attributes(let node, _, _) = change { nodes.append(node) }
      for parent in change.parents where nodes.last != parent { nodes.append(parent) }
    }
    return DisplayNames(of: nodes, in: document)
  }
}
