internal import MirrorSupport

/// The key by which LiveView's client finds an element. It is the element's `id` or, without one,
/// the mark of a component's or another fragment's root. ``ClientPatch/key(_:)`` decides which.
enum PatchKey: Hashable {
  case id(ByteString)
  case component(Int)
  case root(Int)
  /// A form with a field named `id`. For scripts, the form's property `id` is that field and not a
  /// string; see ``FormProperty``. The client's lookup table has one key for all fields of one
  /// class. But where the client compares two keys directly, two different fields are never equal,
  /// so such comparisons check ``isField`` too.
  case field(String)

  var isField: Bool { if case .field = self { true } else { false } }
}

extension PatchTree.Node {
  /// - Parameter byIDAlone: whether only the `id` counts, as at a join, where roots have no marks.
  func key(byIDAlone: Bool) -> PatchKey? {
    guard case .element(let element) = content else { return nil }
    if let id = element.id { return .id(ByteString(id)) }
    if byIDAlone { return nil }
    return state.component.map(PatchKey.component) ?? root.map(PatchKey.root)
  }
}
