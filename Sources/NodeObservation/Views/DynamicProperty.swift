/// A property of a view that lives in the tree and not in the view: it is bound before the body is asked for.
///
/// A structure of such properties is one, too: conform it, and its parts are bound.
public protocol DynamicProperty {
  /// Finds what the property stands for.
  func bind(to context: PropertyContext)
}

extension DynamicProperty {
  /// Binds the parts of a structure.
  ///
  /// - Complexity: O(*parts*), by reflection.
  public func bind(to context: PropertyContext) {
    for (label, value) in Mirror(reflecting: self).children {
      (value as? any DynamicProperty)?.bind(to: context.named(label ?? ""))
    }
  }
}

/// A property that says nothing of what the view was made with: the tree has its value. Others are compared, as wrappers
/// that know equality or part by part.
protocol KeptProperty: DynamicProperty {}

/// Whose property it is, and how it is called.
public struct PropertyContext {
  let view: ViewNode
  let name: String

  func named(_ part: String) -> PropertyContext { PropertyContext(view: view, name: "\(name).\(part)") }

  func noteSharedValue() {
    guard let tree = view.tree else { return }
    let name = view.type.map(tree.name(of:)) ?? "a view"
    tree.note(
      ViewProblem(
        node: view.elementView.observer?.node,
        message:
          "one value of \(name) stands in two places, and its `\(self.name)` is that of the last; make a value for "
          + "each place"))
  }

  /// What the property keeps for as long as the view is the same one: made the first time.
  func stored<Storage: AnyObject>(_ make: () -> Storage) -> Storage {
    if let known = view.storage[name] as? Storage { return known }
    let made = make()
    view.storage[name] = made
    return made
  }
}

/// Binds the properties of views.
struct PropertyBinder {
  /// Types without any: nothing is looked for.
  private var plain: Set<ObjectIdentifier> = []

  /// - Complexity: O(*properties*), by reflection; O(1) for a type that has none to bind.
  mutating func bind<Content: View>(_ content: Content, to view: ViewNode) {
    let type = ObjectIdentifier(Content.self)
    if plain.contains(type) { return }
    var isPlain = true
    for (label, value) in Mirror(reflecting: content).children {
      guard let property = value as? any DynamicProperty else { continue }
      isPlain = false
      // A wrapper's storage has the property's name with a line before it.
      let name = label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 } ?? ""
      property.bind(to: PropertyContext(view: view, name: name))
    }
    if isPlain { plain.insert(type) }
  }
}

/// What a property of a view is bound to: shared by all copies of the view.
///
/// The same value of a view in two places of one page has one link: it is bound to the last. Make one value for each place.
final class PropertyLink<Target> {
  var target: Target?

  init() {}
}
