internal import MirrorSupport
public import NodeObservation

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A value identified by a key. Every property with that key has the same value: in views, objects and functions, on any thread.
///
/// ```swift
/// struct Filter: View {
///   @Shared(.filter) var filter
///   var body: some View { Text(filter) }
/// }
/// func reset() {
///   @Shared(.filter) var filter
///   filter = ""
/// }
/// ```
///
/// A view that reads the value is evaluated again if the value is set to a different one. If a subscriber sets the value, the
/// change is deferred until all subscribers have been notified: see ``SharedReference/set(_:)``.
@propertyWrapper public struct Shared<Value: Equatable & Sendable>: DynamicProperty, Sendable {
  private let key: SharedKey<Value>
  /// `nil` until the value is used. Many view values are never drawn, and creating a link may cause the store to read a file.
  private let place: Guarded<SharedLink<Value>?> = Guarded(nil)

  /// Creates the property for a key. The store loads the value when it is first used.
  public init(_ key: SharedKey<Value>) { self.key = key }

  /// The link to the value. It is created outside of the lock, because the store is foreign code. If two threads create a link at
  /// the same time, both use the link that was stored first.
  private var link: SharedLink<Value> {
    if let known = place.current { return known }
    let made = SharedLink(key)
    return place.withLock { known in
      let link = known ?? made
      known = link
      return link
    }
  }

  /// The current value. Setting an equal value does nothing; an error becomes the store's ``SharedStore/lastError``.
  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set { projectedValue.wrappedValue = newValue }
  }

  /// A reference to the value, to pass on to another view or function.
  public var projectedValue: SharedReference<Value> { SharedReference(link: link) }

  /// Connects the property to the link in the storage of the view.
  ///
  /// So a key that was set by ``SharedReference/reassign(to:)`` is kept until the view ends, or until the enclosing view creates
  /// this view with another key.
  public func bind(to context: PropertyContext) {
    let kept = context.stored { link }
    if kept.initialKey != key { kept.restart(at: key) }
    place.withLock { $0 = kept }
  }
}

extension Shared: Equatable {
  /// Whether both properties were made with the same key.
  public static func == (a: Self, b: Self) -> Bool { a.key == b.key }
}

/// A reference to a shared value, such as `$filter` of `@Shared var filter`. It can be passed to other views and functions.
@propertyWrapper @dynamicMemberLookup public struct SharedReference<Value: Equatable & Sendable>: Sendable {
  let link: SharedLink<Value>

  /// Creates a reference to the value of a key.
  public init(_ key: SharedKey<Value>) { link = SharedLink(key) }

  init(link: SharedLink<Value>) { self.link = link }

  /// The current value. Setting an equal value does nothing; an error becomes the store's ``SharedStore/lastError``.
  public var wrappedValue: Value {
    get { link.cell.value }
    nonmutating set { link.current.updateOrReport { $0 = newValue } }
  }

  /// The reference itself, to pass on to another view or function.
  public var projectedValue: SharedReference<Value> { self }

  /// The current key.
  public var key: SharedKey<Value> { link.key }

  /// Sets the value. If a subscriber or an observing closure calls this function, the change is made when the running publication
  /// has ended. Otherwise it is made at once.
  ///
  /// - Throws: `PublicationCycle` if deferred changes cause more deferred changes, as in `a → b → a`, more than
  ///   `Publication/maximumDepth` times. In this case the value is not changed.
  public func set(_ value: Value) throws(PublicationCycle) { try link.current.update { $0 = value } }

  /// Changes the value atomically: the result of `change` replaces exactly the value that `change` has received. If another
  /// thread sets the value meanwhile, `change` is called again with that value. Deferral and errors are as for ``set(_:)``.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) throws(PublicationCycle) {
    try link.current.update(change)
  }

  /// A ``Binding`` to the value.
  public var binding: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

  /// A binding to a part of the value.
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    let path = UncheckedSendable(value: path)
    return Binding(
      get: { wrappedValue[keyPath: path.value] },
      set: { [link] part in
        let part = UncheckedSendable(value: part)
        link.current.updateOrReport { $0[keyPath: path.value] = part.value }
      })
  }

  /// Publishes the current value and then each new value. After ``reassign(to:)`` it publishes the value of the new key.
  public var publisher: AnyPublisher<Value, Never> {
    link.publisher.map(\.publisher).switchToLatest().removeDuplicates().eraseToAnyPublisher()
  }

  /// Assigns another key. A view keeps the new key until the view ends, or until the enclosing view creates it with a different
  /// key.
  public func reassign(to key: SharedKey<Value>) { link.reassign(to: key) }
}

extension SharedReference: Equatable {
  /// Whether both references share one link, so that ``reassign(to:)`` on one affects the other.
  public static func == (a: Self, b: Self) -> Bool { a.link === b.link }
}

/// Passes a value to a closure on another thread. The caller must not use the value afterwards, or must synchronise the accesses.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value
}
