#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// An object with ``Tracked`` properties.
///
/// It is an `ObservableObject`, so views may observe it as a whole. Its publisher stands in the first tracked property;
/// Combine's own would be found only in `@Published` ones. In an object that has those, too, conform to
/// `ObservableObject` alone.
public protocol TrackedObject: ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {}

extension TrackedObject {
  /// - Complexity: O(*properties*) the first time that an object is asked, by reflection; O(*properties before the first
  ///   tracked one*) then. Setting a property does not ask.
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

/// A property of an object that tells those who have read just this one, and before it changes those who observe the
/// object as a whole.
///
/// ```swift
/// final class Cart: TrackedObject {
///   @Tracked var count = 0
///   @Tracked var note = ""
/// }
/// struct Whole: View {
///   @ObservedObject var cart: Cart     // evaluated again whatever changes
///   var body: some View { Text("\(cart.count)") }
/// }
/// struct Selective: View {
///   let cart: Cart                     // evaluated again when the count changes
///   var body: some View { Text("\(cart.count)") }
/// }
/// ```
///
/// Setting an equal value tells nobody. A body stands in each property that it reads once, however often it is
/// evaluated, and leaves those that it does not read any more. The value may be read and set on any thread; two threads
/// that change it by what it was still have to agree on an order.
@propertyWrapper public struct Tracked<Value> {
  private let storage: TrackedStorage<Value>

  /// A value to begin with.
  public init(wrappedValue: Value) { storage = TrackedStorage(wrappedValue) }

  @available(*, unavailable, message: "@Tracked is for properties of classes that are an ObservableObject")
  public var wrappedValue: Value {
    get { storage.value }
    set { _ = storage.store(newValue) }
  }

  public static subscript<Object: ObservableObject>(
    _enclosingInstance object: Object, wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Tracked<Value>>
  ) -> Value where Object.ObjectWillChangePublisher == ObservableObjectPublisher {
    get { object[keyPath: storage].storage.read { object } }
    set {
      let storage = object[keyPath: storage].storage
      if storage.isSame(as: newValue) { return }
      // What this causes runs when the value has changed, not when it is announced.
      Publication.run {
        (storage.publisher ?? storage.announce(by: object.objectWillChange)).send()
        guard storage.store(newValue) else { return }
        storage.signal()
      }
    }
  }
}

/// A tracked property of any type.
protocol TrackedProperty {
  /// Announces changes by a publisher, unless there is one already: says by which.
  func announce(by publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher
  func isStored(in storage: AnyObject) -> Bool
}

extension Tracked: TrackedProperty {
  func announce(by publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher {
    storage.announce(by: publisher ?? ObservableObjectPublisher())
  }

  func isStored(in storage: AnyObject) -> Bool { self.storage === storage }
}
