/// Containers with `phx-update="append"` or `"prepend"` (deprecated since LiveView 0.18, and still patched by 1.2).
///
/// morphdom puts entries in the order of the new markup; afterwards those that were there go back behind their former
/// neighbour, and new ones of a prepend container to the front.
struct ContainerRestorer {
  let container: String?
  let isPrepend: Bool
  /// Entries that were there and are named again, each with the id of the element before it.
  let known: [(id: String, previous: String?)]
  let new: [String]

  init(_ from: PatchTree.Index, _ to: PatchTree.Index, isPrepend: Bool, in tree: PatchTree) {
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
  mutating func restore(_ restorer: ContainerRestorer) {
    guard let container = restorer.container.flatMap({ element(withID: $0) }) else { return }
    for (id, previous) in restorer.known {
      guard let entry = element(withID: id) else { continue }
      if let previous {
        guard let neighbour = element(withID: previous), let parent = tree.parent(neighbour),
          tree.previousElement(entry).flatMap({ tree.element($0)?.id }) != previous
        else { continue }
        tree.move(entry, into: parent, before: tree.next(neighbour))
      } else if tree.previousElement(entry) != nil {
        tree.move(entry, into: container, before: tree.firstInside(container))
      }
    }
    guard restorer.isPrepend else { return }
    for id in restorer.new.reversed() {
      if let entry = element(withID: id) { tree.move(entry, into: container, before: tree.firstInside(container)) }
    }
  }
}
