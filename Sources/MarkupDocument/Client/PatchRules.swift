/// How an update reaches a document.
package struct PatchRules: Sendable, Hashable {
  /// The client that is followed.
  package var version: ClientVersion
  /// Whether this is the patch of a join.
  package var isJoin: Bool
  /// The components that the diff names: the client leaves all others as they are. `nil` where everything is rendered anew.
  package var components: Set<Int>?

  package init(version: ClientVersion = .newest, isJoin: Bool = false, components: Set<Int>? = nil) {
    self.version = version
    self.isJoin = isJoin
    self.components = components
  }
}
