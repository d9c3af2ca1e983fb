/// What the wire says an element is, apart from its `id`: an entry of a keyed comprehension, or a component.
///
/// Two elements of one group with different members are different things, wherever they stand.
package struct Origin: Hashable, Sendable {
  /// The comprehension, or ``components``.
  package var group: Int
  /// The entry's serial number, or the component id.
  package var member: Int
  /// An entry may have several elements: told apart by tag, and by their order among those of one tag.
  package var tag: String
  package var ordinal: Int

  package init(group: Int, member: Int, tag: String, ordinal: Int = 0) {
    self.group = group
    self.member = member
    self.tag = tag
    self.ordinal = ordinal
  }

  /// The group of all components.
  package static let components = 0
  /// What comments have for a tag: no element has such a one.
  static let commentTag = "#comment"

  /// The component that the element or comment is of.
  var component: Int? { group == Self.components ? member : nil }

  /// The component whose root element it is: comments beside the root are no roots.
  package var rootComponent: Int? { tag == Self.commentTag ? nil : component }

  func excludes(_ other: Origin?) -> Bool {
    guard let other else { return false }
    return group == other.group && self != other
  }
}

/// What a document remembers of its nodes for the next morph.
package struct Marks: Sendable {
  package var origins: [NodeRef: Origin] = [:]
  /// The roots of fragments, with their identities; see ``Page/Root``.
  package var roots: [NodeRef: Int] = [:]
  /// The items of streams, with their stream's reference.
  package var streams: [NodeRef: String] = [:]
  /// Attributes that `JS.ignore_attributes` keeps as they are.
  package var ignored: [NodeRef: [String]] = [:]
  /// What portals have put at their targets, with the id of the template.
  package var portals: [NodeRef: String] = [:]

  package init() {}

  /// Whether the client keeps something with any element that no page says.
  package var hasClientState: Bool { !streams.isEmpty || !ignored.isEmpty || !portals.isEmpty }

  func clientState(of node: NodeRef) -> PatchTree.State {
    hasClientState
      ? PatchTree.State(stream: streams[node], ignored: ignored[node] ?? [], portal: portals[node]) : .none
  }

  mutating func setClientState(_ state: PatchTree.State, of node: NodeRef) {
    if let stream = state.stream { streams[node] = stream }
    if !state.ignored.isEmpty { ignored[node] = state.ignored }
    if let portal = state.portal { portals[node] = portal }
  }

  mutating func removeClientState(of node: NodeRef) {
    guard hasClientState else { return }
    streams[node] = nil
    ignored[node] = nil
    portals[node] = nil
  }
}
