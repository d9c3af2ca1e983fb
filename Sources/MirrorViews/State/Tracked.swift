internal import NodeObservation

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// An object with ``Tracked`` properties.
///
/// The object is an `ObservableObject`, so views can also observe it as a whole. Its publisher is stored in its tracked
/// properties, because Combine's default publisher is stored only in `@Published` properties. An object that also has
/// `@Published` properties should conform to `ObservableObject` alone.
public protocol TrackedObject: ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {}

extension TrackedObject {
  /// Announces each change of a tracked property before it happens.
  ///
  /// - Complexity: O(*properties*), by reflection. A tracked property stores the publisher, so setting it does not repeat the
  ///   reflection.
  public var objectWillChange: ObservableObjectPublisher {
    var publisher: ObservableObjectPublisher?
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for case let (_, property as any TrackedProperty) in level.children {
        let known = property.announce(by: publisher)
        if publisher == nil { publisher = known }
      }
      mirror = level.superclassMirror
    }
    return publisher ?? ObservableObjectPublisher()
  }
}

/// A property of an object. Its readers are notified after each change, observers of the whole object before each change.
///
/// ```swift
/// final class Cart: TrackedObject {
///   @Tracked var count = 0
///   @Tracked var note = ""
/// }
/// struct Whole: View {
///   @ObservedObject var cart: Cart     // evaluated again when any property changes
///   var body: some View { Text("\(cart.count)") }
/// }
/// struct Selective: View {
///   let cart: Cart                     // evaluated again when the count changes
///   var body: some View { Text("\(cart.count)") }
/// }
/// ```
///
/// Setting an equal value does not notify readers. A body is registered once with each property that its last evaluation has
/// read, and with no other property.
///
/// The value can be read and set on any thread. A change that depends on the old value, such as `count += 1`, is not atomic and
/// needs synchronisation.
@propertyWrapper public struct Tracked<Value> {
  private let storage: TrackedStorage<Value>

  /// Creates the property with an initial value.
  public init(wrappedValue: Value) { storage = TrackedStorage(wrappedValue) }

  /// Unavailable: a tracked property must belong to a class.
  @available(*, unavailable, message: "@Tracked is for properties of classes that are an ObservableObject")
  public var wrappedValue: Value {
    get { storage.value }
    set { _ = storage.store(newValue) }
  }

  /// The value of the property of an object. The compiler uses it for the property.
  public static subscript<Object: ObservableObject>(
    _enclosingInstance object: Object, wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Tracked<Value>>
  ) -> Value where Object.ObjectWillChangePublisher == ObservableObjectPublisher {
    get { object[keyPath: storage].storage.read { object } }
    set {
      let storage = object[keyPath: storage].storage
      if storage.isSame(as: newValue) { return }
      // A publication, so that work that observers defer at the announcement runs after the change.
      Publication.run {
        (storage.publisher ?? storage.announce(by: object.objectWillChange)).send()
        guard storage.store(newValue) else { return }
        storage.signal()
      }
    }
  }
}

/// A tracked property with a value of any type.
protocol TrackedProperty {
  /// The publisher that announces changes. If the property has no publisher yet, it stores the given publisher or creates one.
  func announce(by publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher
  func isStored(in storage: AnyObject) -> Bool
}

extension Tracked: TrackedProperty {
  func announce(by publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher {
    storage.announce(by: publisher ?? ObservableObjectPublisher())
  }

  func isStored(in storage: AnyObject) -> Bool { self.storage === storage }
}
