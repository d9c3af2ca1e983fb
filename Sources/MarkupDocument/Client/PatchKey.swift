internal import MirrorSupport

/// The key by which LiveView's client finds an element. It is the element's `id` or, without one,
/// the mark of a component's or another fragment's root. ``ClientPatch/key(_:)`` decides which.
enum PatchKey: Hashable {
  case id(ByteString)
  case component(Int)
  case root(Int)
  /// A form with a field named `id`. For scripts, the form's property `id` is that field and not a
  /// string; see ``FormProperty``. The lookup table of the client is a JavaScript object, so all
  /// fields of one class have the same key in it. Where the client compares two keys directly, it
  /// compares the field objects, and two different fields are never equal, so such comparisons
  /// check ``isField`` too.
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
