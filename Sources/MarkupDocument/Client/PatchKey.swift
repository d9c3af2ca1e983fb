/// What LiveView's client finds an element by: its `id`, or what marks the root of a component or of another fragment.
enum PatchKey: Hashable {
  case id(IDKey)
  case component(Int)
  case root(Int)
}

extension PatchTree.Node {
  /// - Parameter byIDAlone: as at a join, which marks no roots.
  func key(byIDAlone: Bool) -> PatchKey? {
    guard case .element(let element) = content else { return nil }
    if let id = element.id { return .id(IDKey(id)) }
    if byIDAlone { return nil }
    return state.component.map(PatchKey.component) ?? root.map(PatchKey.root)
  }
}
