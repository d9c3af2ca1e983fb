/// How an update reaches a document.
package struct PatchRules: Sendable, Hashable {
  /// The client that is followed.
  package var version: ClientVersion
  /// Whether this is the patch of a join.
  package var isJoin: Bool
  /// The components that the diff does not name: the client leaves them as they are, with all in them.
  package var unchanged: Set<Int>
  /// Whether the client leaves the roots of function components as they are of which the update says nothing.
  package var skipsRoots: Bool
  /// Whether the client takes the roots of function components that were sent whole for new elements.
  package var renewsRoots: Bool
  /// Whether a component that a diff has named is in an element that was left as it is: the document does not become the page.
  package var hidesChanges: Bool

  /// Whether anything is left as it is.
  var skipsSome: Bool { skipsRoots || !unchanged.isEmpty }

  package init(
    version: ClientVersion = .newest, isJoin: Bool = false, unchanged: Set<Int> = [], skipsRoots: Bool = false,
    renewsRoots: Bool = false, hidesChanges: Bool = false
  ) {
    self.version = version
    self.isJoin = isJoin
    self.unchanged = unchanged
    self.skipsRoots = skipsRoots
    self.renewsRoots = renewsRoots
    self.hidesChanges = hidesChanges
  }
}
