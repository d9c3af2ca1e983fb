internal import NodeObservation

/// A property of a view that takes its value from the tree. The tree binds the property before each
/// evaluation of the body.
///
/// A structure whose members are dynamic properties can also conform: by default, ``bind(to:)``
/// binds its members.
public protocol DynamicProperty {
  /// Connects the property to its value in the tree.
  func bind(to context: PropertyContext)
}

extension DynamicProperty {
  /// Binds every member that is a ``DynamicProperty``.
  public func bind(to context: PropertyContext) {
    for (label, value) in Mirror(reflecting: self).children {
      (value as? any DynamicProperty)?.bind(to: context.named(label ?? ""))
    }
  }
}

/// A dynamic property whose value is stored only in the tree, such as ``State``. The enclosing view
/// cannot change this value, so the property is not an input of the view: ``Inputs`` treats two
/// such properties as equal. All other dynamic properties are compared by `==`, or member by
/// member.
protocol KeptProperty: DynamicProperty {}

/// The view that a property belongs to, and the name of the property.
public struct PropertyContext {
  let view: ViewNode
  let name: String

  func named(_ part: String) -> PropertyContext { PropertyContext(view: view, name: "\(name).\(part)") }

  /// Records the problem that one view value is used in two positions.
  func noteSharedValue() {
    guard let tree = view.tree else { return }
    let name = view.type.map(tree.name(of:)) ?? "a view"
    tree.note(
      ViewProblem(
        node: view.elementView.observer?.node,
        message:
          "one value of \(name) is used in two positions, and both use the `\(self.name)` of the last position; "
          + "create one value for each position"))
  }

  /// The storage of the property. It is created at the first call and kept until the view ends.
  func stored<Storage: AnyObject>(_ make: () -> Storage) -> Storage {
    if let known = view.storage[name] as? Storage { return known }
    let made = make()
    view.storage[name] = made
    return made
  }
}

/// Binds the dynamic properties of views. Each ``ViewTree`` has one, guarded by the lock of the
/// tree.
///
/// A class, because ``DynamicProperty/bind(to:)`` is foreign code: during a call, another view may
/// be bound. A mutating method of a structure would then access the structure twice, which the
/// exclusivity check stops.
final class PropertyBinder {
  /// View types without dynamic properties. Reflection is skipped for them.
  private var plain: Set<ObjectIdentifier> = []

  /// Binds the dynamic properties of a view value to the node of the view.
  ///
  /// - Complexity: O(*properties*), by reflection; O(1) for a type that is known to have no dynamic
  ///   property.
  func bind<Content: View>(_ content: Content, to view: ViewNode) {
    let type = ObjectIdentifier(Content.self)
    if plain.contains(type) { return }
    var isPlain = true
    for (label, value) in Mirror(reflecting: content).children {
      guard let property = value as? any DynamicProperty else { continue }
      isPlain = false
      // The stored property of a wrapper is named `_name`.
      let name = label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 } ?? ""
      property.bind(to: PropertyContext(view: view, name: name))
    }
    if isPlain { plain.insert(type) }
  }
}

/// Connects a property of a view value to the storage of the property. ``State`` and most other
/// property wrappers have a link; ``DynamicProperty/bind(to:)`` sets its target. Copies of the view
/// value share the link.
///
/// If one view value is used in two positions of a page, both positions share one link, which
/// refers to the position that was bound last. Therefore create one value for each position.
final class PropertyLink<Target> {
  var target: Target?

  init() {}
}
