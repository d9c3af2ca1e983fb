/// Restores the order of entries in containers with `phx-update="append"` or `"prepend"`
/// (deprecated since LiveView 0.18, still supported in 1.2).
///
/// morphdom orders the entries as the new markup does. Afterwards each entry that the container had
/// before the patch is moved back behind its former predecessor, and new entries of a `prepend`
/// container are moved to the front.
/// ``ClientPatch`` makes a restorer before it patches such a container, and runs all of them after
/// morphdom's pass.
///
/// - Client: `perform` in `dom_post_morph_restorer.js`, 1.0+. Origin: phoenix_live_view#1111.
struct ContainerRestorer {
  /// The `id` of the container.
  let container: String?
  let isPrepend: Bool
  /// The ids of entries that were in the container and are also in the new markup, each with the id
  /// of the element that preceded it before the patch.
  let known: [(id: String, previous: String?)]
  /// The ids of entries that only the new markup has.
  let new: [String]

  init(of from: PatchTree.Index, patchedTo to: PatchTree.Index, isPrepend: Bool, in tree: PatchTree) {
    self.isPrepend = isPrepend
    container = tree.element(to)?.id
    let after = tree.elements(in: to).compactMap { tree.element($0)?.id }
    let named = Set(after)
    var before: Set<String> = []
    var known: [(id: String, previous: String?)] = []
    for child in tree.elements(in: from) {
      guard let id = tree.element(child)?.id else { continue }
      before.insert(id)
      guard named.contains(id) else { continue }
      known.append((id, tree.previousElement(child).flatMap { tree.element($0)?.id }))
    }
    self.known = known
    var met = before
    new = after.filter { met.insert($0).inserted }
  }
}

extension ClientPatch {
  /// Restores the order in one container, after morphdom's pass.
  mutating func restore(_ restorer: ContainerRestorer) {
    guard let container = restorer.container.flatMap({ element(withID: $0) }) else { return }
    for (id, previous) in restorer.known {
      guard let entry = element(withID: id) else { continue }
      if let previous {
        guard let neighbour = element(withID: previous), let parent = tree.parent(neighbour),
          tree.previousElement(entry).flatMap({ tree.element($0)?.id }) != previous
        else { continue }
        tree.insertUnlessCyclic(entry, into: parent, before: tree.next(neighbour))
      } else if tree.previousElement(entry) != nil {
        tree.insertUnlessCyclic(entry, into: container, before: tree.firstInside(container))
      }
    }
    guard restorer.isPrepend else { return }
    for id in restorer.new.reversed() {
      if let entry = element(withID: id) {
        tree.insertUnlessCyclic(entry, into: container, before: tree.firstInside(container))
      }
    }
  }
}
