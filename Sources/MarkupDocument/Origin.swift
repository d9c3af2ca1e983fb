/// The identity that an element has without an `id`, if it is at the root of an entry of a keyed
/// comprehension, or of a component. ``Page`` gives elements their origins, and ``Matcher`` pairs
/// nodes by them.
///
/// Two elements of one group with different members are different elements, wherever they are in
/// the tree.
package struct Origin: Hashable, Sendable {
  /// The identity of the comprehension, or ``components``.
  package var group: Int
  /// The entry's serial number, or the component id.
  package var member: Int
  /// An entry can have several elements. They are distinguished by tag, and by their order among
  /// the elements with that tag.
  package var tag: String
  /// The position among the entry's elements with the same tag, from 0.
  package var ordinal: Int

  /// The origin of an element of a group's member.
  package init(group: Int, member: Int, tag: String, ordinal: Int = 0) {
    self.group = group
    self.member = member
    self.tag = tag
    self.ordinal = ordinal
  }

  /// The group of components.
  package static let components = 0
  /// The tag of comments; no element has this name.
  static let commentTag = "#comment"

  /// The component to which the element or comment belongs.
  var component: Int? { group == Self.components ? member : nil }

  /// The component whose root element this is. Comments beside the root have an origin too but are
  /// not roots.
  package var rootComponent: Int? { tag == Self.commentTag ? nil : component }

  /// Whether this origin and another one belong to different elements: same group, but not equal.
  func excludes(_ other: Origin?) -> Bool {
    guard let other else { return false }
    return group == other.group && self != other
  }
}

/// What a document keeps about its nodes for the next morph.
package struct Marks: Sendable {
  /// The identities of elements and comments; see ``Origin``.
  package var origins: [NodeRef: Origin] = [:]
  /// The elements that are roots of fragments, with the fragment's identity; see ``Page/Root``.
  package var roots: [NodeRef: Int] = [:]
  /// The items of streams, with the reference of their stream.
  package var streams: [NodeRef: String] = [:]
  /// The names of attributes that `JS.ignore_attributes` protects.
  package var ignored: [NodeRef: [String]] = [:]
  /// The elements that portals show elsewhere, with the id of their `template`.
  package var portals: [NodeRef: String] = [:]

  /// The root element of each fragment. If the document shows a fragment twice, the fragment has
  /// two roots, and this is the older one: the choice must not depend on the order of a dictionary.
  package var oldestRoots: [Int: NodeRef] { Dictionary(roots.lazy.map { ($1, $0) }, uniquingKeysWith: min) }

  /// No marks.
  package init() {}

  /// Whether the client keeps state for any element. No page contains this state.
  package var hasClientState: Bool { !streams.isEmpty || !ignored.isEmpty || !portals.isEmpty }

  /// The client's state of one element.
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
