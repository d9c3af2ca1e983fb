#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// An object that somebody else owns. Whatever of it changes, the view is evaluated again.
///
/// ```swift
/// struct Total: View {
///   @ObservedObject var cart: Cart
///   var body: some View { Text("\(cart.count)") }
/// }
/// ```
///
/// An object announces its changes before it makes them, so the view is evaluated later: when the publication that runs
/// has ended; where none runs, when ``ViewTree``'s scheduler says, or with the next drawing or ``ViewTree/flush()``. With
/// ``Tracked`` properties a change is always a publication. For views that are to be evaluated only when what they read
/// changes, see there too.
@propertyWrapper public struct ObservedObject<Object: ObservableObject>: DynamicProperty {
  /// The object.
  public let wrappedValue: Object

  /// Observes an object that somebody else owns.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// Bindings to its properties: `$cart.count`.
  public var projectedValue: ObjectBindings<Object> { ObjectBindings(object: wrappedValue) }

  /// The view follows this object from here on, and no other.
  public func bind(to context: PropertyContext) {
    context.stored { ObjectSubscription<Object>() }.follow(wrappedValue, for: context)
  }
}

extension ObservedObject: Equatable {
  /// Whether they observe one object.
  public static func == (a: Self, b: Self) -> Bool { a.wrappedValue === b.wrappedValue }
}

/// An object that the view owns: made when the view is drawn for the first time, kept for as long as it is the same view,
/// let go with it. Whatever of it changes, the view is evaluated again.
///
/// ```swift
/// struct Page: View {
///   @StateObject var cart = Cart()
///   var body: some View { Total(cart: cart) }
/// }
/// ```
@propertyWrapper public struct StateObject<Object: ObservableObject>: KeptProperty {
  private let make: () -> Object
  private let link = PropertyLink<ObjectSubscription<Object>>()

  /// How to make the object; done once, when it is needed.
  public init(wrappedValue make: @autoclosure @escaping () -> Object) { self.make = make }

  /// Before the view stands in a tree, an object that the view takes over if it is drawn.
  public var wrappedValue: Object { subscription.object ?? make() }

  /// Bindings to its properties: `$cart.count`.
  public var projectedValue: ObjectBindings<Object> { ObjectBindings(object: wrappedValue) }

  private var subscription: ObjectSubscription<Object> {
    if let known = link.target { return known }
    let made = ObjectSubscription(of: make())
    link.target = made
    return made
  }

  /// Finds the object that the view has kept, or makes it.
  public func bind(to context: PropertyContext) {
    let kept = context.stored { subscription }
    link.target = kept
    if let object = kept.object { kept.follow(object, for: context) }
  }
}

/// An object that a view around this one has put there by `environmentObject(_:)`, found by its type. Whatever of it
/// changes, the view is evaluated again.
///
/// ```swift
/// @EnvironmentObject var cart: Cart?
/// var body: some View { if let cart { Text("\(cart.count)") } }
/// ```
///
/// There is none where nobody has put one: that is told among the tree's ``ViewTree/problems``. It is an optional and has
/// no default, since an object of its own, that nobody else sees, would hide the mistake.
@propertyWrapper public struct EnvironmentObject<Object: ObservableObject>: KeptProperty {
  private let link = PropertyLink<ObjectSubscription<Object>>()

  /// Looks for an object of this type around the view.
  public init() {}

  /// The object; `nil` where nobody has put one there, and before the view stands in a tree.
  public var wrappedValue: Object? { link.target?.object }

  /// Bindings to its properties: `$cart?.count`.
  public var projectedValue: ObjectBindings<Object>? { wrappedValue.map { ObjectBindings(object: $0) } }

  /// The view follows the object that is there now.
  public func bind(to context: PropertyContext) {
    let kept = context.stored { ObjectSubscription<Object>() }
    link.target = kept
    let view = context.view
    if let object = view.environment[object: Object.self] { return kept.follow(object, for: context) }
    kept.leave()
    guard let tree = view.tree else { return }
    tree.note(
      ViewProblem(
        node: view.elementView.observer?.node,
        message: "\(tree.describe(view)): no \(Object.self) is in the environment of `\(context.name)`. A view "
          + "around it has to put one there, by `environmentObject(_:)`"))
  }
}

/// Bindings to the properties of an object.
@dynamicMemberLookup public struct ObjectBindings<Object: AnyObject> {
  let object: Object

  /// A property, to read and set.
  public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
    Binding(object, path)
  }
}

extension Binding {
  /// A property of an object.
  public init<Object: AnyObject>(_ object: Object, _ path: ReferenceWritableKeyPath<Object, Value>) {
    self.init(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
  }
}
