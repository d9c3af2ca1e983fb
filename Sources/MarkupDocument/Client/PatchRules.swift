/// The rules by which a client applies one update to a document. Full and scoped updates make the
/// rules from the diff, and pass them to ``Morph``. At most one of ``isJoin`` and ``isResumption``
/// is set.
package struct PatchRules: Sendable, Hashable {
  /// The version of LiveView's client.
  package var version: ClientVersion
  /// Whether this is the patch of a join.
  package var isJoin: Bool
  /// Whether the client has applied the page already, and the document is what the browser shows.
  /// The patch then gives the elements their identities on the wire, and leaves the children of
  /// stream containers as they are.
  package var isResumption: Bool
  /// The components that the diff does not name. The client leaves them and their content
  /// unchanged.
  package var unchanged: Set<Int>
  /// Whether the client leaves the root of a function component unchanged if the update does not
  /// touch the component's fragment.
  package var skipsRoots: Bool
  /// Whether the client replaces the roots of function components that were sent as a whole.
  package var renewsRoots: Bool
  /// Whether a component that the diff names is inside of an element that was left unchanged, so
  /// that the document differs from the page.
  package var hidesChanges: Bool

  /// Whether the client skips any element.
  var skipsSome: Bool { skipsRoots || !unchanged.isEmpty }

  /// The defaults describe an update after the join that skips nothing, patched by the newest
  /// client.
  package init(
    version: ClientVersion = .newest, isJoin: Bool = false, isResumption: Bool = false, unchanged: Set<Int> = [],
    skipsRoots: Bool = false,
    renewsRoots: Bool = false, hidesChanges: Bool = false
  ) {
    self.version = version
    self.isJoin = isJoin
    self.isResumption = isResumption
    self.unchanged = unchanged
    self.skipsRoots = skipsRoots
    self.renewsRoots = renewsRoots
    self.hidesChanges = hidesChanges
  }
}
