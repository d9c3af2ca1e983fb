/// How an update reaches a document.
package struct PatchRules: Sendable, Hashable {
  /// The client that is followed.
  package var version: ClientVersion
  /// Whether this is the patch of a join.
  package var isJoin: Bool
  /// The components that the diff does not name: the client leaves them as they are, with all in them.
  package var unchanged: Set<Int>
  /// Whether a component that the diff names is in one of these: then the document does not become the page.
  package var hidesChanges = false

  package init(
    version: ClientVersion = .newest, isJoin: Bool = false, unchanged: Set<Int> = [], hidesChanges: Bool = false
  ) {
    self.version = version
    self.isJoin = isJoin
    self.unchanged = unchanged
    self.hidesChanges = hidesChanges
  }
}
