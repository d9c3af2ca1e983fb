/// What LiveView's client finds an element by: its `id`, or what marks the root of a component.
enum PatchKey: Hashable {
  case id(IDKey)
  case component(Int)
}

extension PatchTree.Node {
  /// - Parameter isJoin: a join goes by ids alone.
  func key(isJoin: Bool) -> PatchKey? {
    guard case .element(let element) = content else { return nil }
    if let id = element.id { return .id(IDKey(id)) }
    if isJoin { return nil }
    return state.component.map(PatchKey.component)
  }
}
