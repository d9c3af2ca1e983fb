public import NodeObservation

/// An object that is not owned by the view. Every change of the object causes an evaluation of the
/// view. Programs use this wrapper in their own views. The views of ``ViewRegistry/native`` observe
/// no objects.
///
/// ```swift
/// struct Total: View {
///   @ObservedObject var cart: Cart
///   var body: some View { Text("\(cart.count)") }
/// }
/// ```
///
/// An object announces a change before the change happens, so the view is evaluated later. If the
/// change is announced during a publication, the view is evaluated at the end of the publication.
/// Otherwise the view is evaluated when the scheduler of the ``ViewTree`` runs, or with the next
/// drawing or ``ViewTree/flush()``.
///
/// A view that reads an `@Observable` object or a ``Shared`` value needs no wrapper: it is
/// evaluated only if what it has read changes.
@propertyWrapper public struct ObservedObject<Object: ObservableObject>: DynamicProperty {
  /// The object.
  public var wrappedValue: Object

  /// Creates the property for an object.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// Bindings to the properties of the object, such as `$cart.count`.
  public var projectedValue: Bindable<Object> { Bindable(wrappedValue) }

  /// Subscribes the view to the object. The subscription to a previous object ends.
  public func bind(to context: PropertyContext) {
    context.stored { ObjectSubscription<Object>() }.follow(wrappedValue, for: context)
  }
}

extension ObservedObject: Equatable {
  /// Whether both observe the same object.
  public static func == (a: Self, b: Self) -> Bool { a.wrappedValue === b.wrappedValue }
}

/// An object that the view owns. It is created when the view is first drawn, and released when the
/// view ends. Every change of the object causes an evaluation of the view.
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

  /// Creates the property.
  ///
  /// - Parameter make: creates the object. Called when the object is first used.
  public init(wrappedValue make: @autoclosure @escaping () -> Object) { self.make = make }

  /// The object. If the property is used before the view is in a tree, the object is created at
  /// once. When the view is first drawn, the tree keeps this object for the view.
  public var wrappedValue: Object { subscription.object ?? make() }

  /// Bindings to the properties of the object, such as `$cart.count`.
  public var projectedValue: Bindable<Object> { Bindable(wrappedValue) }

  private var subscription: ObjectSubscription<Object> {
    if let known = link.target { return known }
    let made = ObjectSubscription(of: make())
    link.target = made
    return made
  }

  /// Finds the object in the storage of the view, or creates it, and subscribes the view to it.
  public func bind(to context: PropertyContext) {
    let kept = context.stored { subscription }
    link.target = kept
    if let object = kept.object { kept.follow(object, for: context) }
  }
}

/// An object that an enclosing view has provided by ``View/environmentObject(_:)``. The object is
/// found by its type. Every change of the object causes an evaluation of the view.
///
/// ```swift
/// @EnvironmentObject var cart: Cart
/// var body: some View { Text("\(cart.count)") }
/// ```
///
/// If no enclosing view has provided an object, the body is not evaluated, the view is empty, and
/// ``ViewTree/problems`` says what is missing.
@propertyWrapper public struct EnvironmentObject<Object: ObservableObject>: KeptProperty {
  private let link = PropertyLink<ObjectSubscription<Object>>()

  /// Creates the property for an object of this type.
  public init() {}

  /// The object. It can be read in a body, and in the actions that a body has created. In a view
  /// that is not in a tree, reading it traps, because such a view has no environment.
  public var wrappedValue: Object {
    guard let object = link.target?.object else {
      preconditionFailure(
        "no view provides a \(Object.self): this view is not in a tree, or has no `environmentObject(_:)` around it")
    }
    return object
  }

  /// Bindings to the properties of the object, such as `$cart.count`.
  public var projectedValue: Bindable<Object> { Bindable(wrappedValue) }

  /// Finds the object in the environment of the view, and subscribes the view to it.
  public func bind(to context: PropertyContext) {
    let kept = context.stored { ObjectSubscription<Object>() }
    link.target = kept
    let view = context.view
    view.environmentReads.append { $0.object(of: Object.self) === $1.object(of: Object.self) }
    if let object = view.environment.object(of: Object.self) { return kept.follow(object, for: context) }
    kept.end()
    context.noteMissing(Object.self, providedBy: "environmentObject(_:)")
  }
}

extension PropertyContext {
  /// Marks the view, so that its body is not evaluated, and records the problem that no enclosing
  /// view has provided an object.
  func noteMissing(_ type: Any.Type, providedBy modifier: String) {
    view.lacksObject = true
    guard let tree = view.tree else { return }
    tree.note(
      ViewProblem(
        node: view.elementView.observer?.node,
        message:
          "\(tree.describe(view)): the environment has no \(type) for `\(name)`. An enclosing view "
          + "must provide one with `\(modifier)`"))
  }
}

/// Bindings to the properties of an object, such as an `@Observable` one: with `@Bindable var cart:
/// Cart`, `$cart.count` is a ``Binding``.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Object: AnyObject> {
  /// The object.
  public var wrappedValue: Object

  /// Creates the property for an object.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// Creates the bindings of an object.
  public init(_ object: Object) { wrappedValue = object }

  /// Creates the property from the projection of another one.
  public init(projectedValue: Bindable<Object>) { self = projectedValue }

  /// The bindings to the properties of the object.
  public var projectedValue: Bindable<Object> { self }

  /// A binding to a property.
  public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
    Binding(wrappedValue, path)
  }
}

extension Binding {
  /// Creates a binding to a property of an object.
  public init<Object: AnyObject>(_ object: Object, _ path: ReferenceWritableKeyPath<Object, Value>) {
    self.init(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
  }
}

/// A view's subscription to an object. The property wrappers of this file keep it in the storage of
/// the view, so the subscription ends when the view ends.
final class ObjectSubscription<Object: ObservableObject> {
  private(set) var object: Object?
  private var changes: AnyCancellable?

  init(of object: Object? = nil) { self.object = object }

  /// Subscribes to `object`, and ends the subscription to a previous object. From then on, each
  /// change that the object announces invalidates the view.
  func follow(_ object: Object, for context: PropertyContext) {
    if self.object === object, changes != nil { return }
    self.object = object
    let name = context.name
    changes = object.objectWillChange.sink { [weak view = context.view] _ in
      guard let view else { return }
      view.tree?.invalidate(view, because: .object(name), later: true)
    }
  }

  /// Ends the subscription. The object is kept for actions that earlier bodies have created.
  func end() { changes = nil }
}
