internal import MirrorSupport
public import NodeObservation

/// A value that all properties with one key share, in views, objects and functions, on any thread.
///
/// ```swift
/// struct Turnstile: View {
///   @Shared(.appStorage("turns")) var turns = 0
///   var body: some View { Button("\(turns)") { turns += 1 } }
/// }
/// func reset() {
///   @Shared(.appStorage("turns")) var turns = 0
///   turns = 0
/// }
/// ```
///
/// A view that reads the value is evaluated again if the value is set to a different one. If a
/// subscriber sets the value, the change is deferred until all subscribers have been notified: see
/// ``set(_:)``.
///
/// The projection `$turns` refers to this property, to pass it on to another view or function.
@propertyWrapper @dynamicMemberLookup public struct Shared<Value: Sendable>: DynamicProperty, Sendable {
  /// `key` is for a property that was created with a key, `link` for a reference to another
  /// property. The link of a key is created at the first use, because many view values are never
  /// drawn, and creating a link may cause the store to read a file.
  private enum Origin: Sendable {
    case key(SharedKey<Value>, Guarded<SharedLink<Value>?>)
    case link(SharedLink<Value>)
  }

  private let origin: Origin

  private init(_ origin: Origin) { self.origin = origin }

  /// Creates the property for a key. The store loads the value when it is first used.
  public init(_ key: SharedKey<Value>) { self.init(.key(key, Guarded(nil))) }

  /// Creates the property for a location.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value if none is stored.
  ///   - location: where the value is stored, such as `.appStorage("turns")`.
  public init(wrappedValue: @autoclosure @escaping @Sendable () -> Value, _ location: SharedLocation<Value>) {
    self.init(SharedKey(location, default: wrappedValue()))
  }

  /// Creates the property for a location. The value is `nil` if none is stored.
  public init<Wrapped>(_ location: SharedLocation<Value>) where Value == Wrapped? {
    self.init(wrappedValue: nil, location)
  }

  /// Creates a property with a value of its own. Only this property and the references to it, such
  /// as `$count`, use the value:
  ///
  /// ```swift
  /// final class Cart {
  ///   @Shared(value: 0) var count
  /// }
  /// ```
  ///
  /// A view keeps the value until the view ends, as it keeps the value of a ``State``.
  ///
  /// - Parameters:
  ///   - value: the first value.
  ///   - name: the name of the value in evaluations and errors. By default the name of the
  ///     enclosing type or function.
  public init(value: @autoclosure @escaping @Sendable () -> Value, name: String = #function) {
    self.init(SharedKey(SharedLocation(name, in: InMemoryStore(isOfOneProperty: true)), default: value))
  }

  /// Creates a property that refers to another one, `$turns`.
  public init(projectedValue: Shared<Value>) { self = projectedValue }

  var link: SharedLink<Value> {
    switch origin {
    case .link(let link): link
    case .key(let key, let cache): cache.orFirst { SharedLink(key) }
    }
  }

  /// The current value. Setting an equal value does nothing; an error becomes the store's
  /// ``SharedStore/lastError``.
  public var wrappedValue: Value {
    get { link.cell.value }
    nonmutating set { link.current.updateOrReport { $0 = newValue } }
  }

  /// A reference to this property. Setting it replaces the key: see `load(_:)`.
  public var projectedValue: Shared<Value> {
    get { Shared(.link(link)) }
    nonmutating set { load(newValue.key) }
  }

  /// The current key.
  public var key: SharedKey<Value> { link.key }

  /// Sets the value. If a subscriber or an observing closure calls this function, the change is
  /// made when the running publication has ended. Otherwise it is made at once.
  ///
  /// - Throws: `PublicationCycle` if deferred changes cause more deferred changes, as in `a → b →
  ///   a`, more than `Publication/maximumDepth` times. In this case the value is not changed.
  public func set(_ value: Value) throws(PublicationCycle) { try link.current.update { $0 = value } }

  /// Changes the value atomically: the result of `change` replaces exactly the value that `change`
  /// has received. If another thread sets the value while `change` runs, `change` is called again
  /// with the newer value.
  ///
  /// The value is changed at once. If a subscriber calls this function, all subscribers are
  /// notified of the change when the running publication has ended. If such changes cause each
  /// other without end, the last change is not made, and the error becomes the store's
  /// ``SharedStore/lastError``.
  @discardableResult public func withLock<Result, Failure: Error>(
    _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result { try link.current.withLock(change) }

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

  /// Publishes the current value and then each new value. After `load(_:)` it publishes the value
  /// of the new key.
  public var publisher: AnyPublisher<Value, Never> {
    link.publisher.map(\.publisher).switchToLatest().removeDuplicates(by: Inputs.areEqual).eraseToAnyPublisher()
  }

  /// Replaces the key by another one. The property then has the value of the new key. A view keeps
  /// the new key until the view ends, or until the enclosing view creates it with a different key.
  public func load(_ key: SharedKey<Value>) { link.load(key) }

  /// Replaces the key by one for another location, with the same default.
  public func load(_ location: SharedLocation<Value>) { load(SharedKey(location, default: key.initial)) }

  /// Connects the property to the link in the storage of the view. The link keeps a key that
  /// `load(_:)` has set. A property that refers to another one has no link of its own, so it is not
  /// changed.
  public func bind(to context: PropertyContext) {
    guard case .key(let key, let cache) = origin else { return }
    let kept = context.stored { link }
    if kept.initialKey != key { kept.restart(at: key) }
    cache.withLock { $0 = kept }
  }
}

extension Shared: Equatable {
  /// Whether both properties were made with the same key, or refer to the same property.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a.origin, b.origin) {
    case (.key(let a, _), .key(let b, _)): a == b
    case (.link(let a), .link(let b)): a === b
    default: false
    }
  }
}

extension Binding where Value: Sendable {
  /// Creates a binding to a shared value: `Binding($turns)`.
  public init(_ shared: Shared<Value>) {
    self.init(get: { shared.wrappedValue }, set: { shared.wrappedValue = $0 })
  }
}

extension State where Value: Sendable {
  /// The same as ``Shared``, under a name for those who know the package swift-sharing:
  /// `@State.Shared(.inMemory("gauge")) var value = 0.0`. The view keeps a key that
  /// `$value.load(_:)` has set, even if the enclosing view creates the view again with the first
  /// key.
  @propertyWrapper public struct Shared: DynamicProperty, Equatable, Sendable {
    private let shared: MirrorViews.Shared<Value>

    /// Creates the property for a key.
    public init(_ key: SharedKey<Value>) { shared = .init(key) }

    /// Creates the property for a location, with the value if none is stored.
    public init(wrappedValue: @autoclosure @escaping @Sendable () -> Value, _ location: SharedLocation<Value>) {
      shared = .init(wrappedValue: wrappedValue(), location)
    }

    /// Creates the property for a location. The value is `nil` if none is stored.
    public init<Wrapped>(_ location: SharedLocation<Value>) where Value == Wrapped? { shared = .init(location) }

    /// The current value.
    public var wrappedValue: Value {
      get { shared.wrappedValue }
      nonmutating set { shared.wrappedValue = newValue }
    }

    /// A reference to the property. Setting it replaces the key.
    public var projectedValue: MirrorViews.Shared<Value> {
      get { shared.projectedValue }
      nonmutating set { shared.projectedValue = newValue }
    }
  }
}

/// A ``Shared`` value that this property only reads:
/// `@SharedReader(.fileStorage(url)) var settings = Settings()`.
@propertyWrapper public struct SharedReader<Value: Sendable>: DynamicProperty, Equatable, Sendable {
  private let shared: Shared<Value>

  /// Creates the property for a key.
  public init(_ key: SharedKey<Value>) { shared = Shared(key) }

  /// Creates the property for a location, with the value if none is stored.
  public init(wrappedValue: @autoclosure @escaping @Sendable () -> Value, _ location: SharedLocation<Value>) {
    shared = Shared(wrappedValue: wrappedValue(), location)
  }

  /// Creates the property for a location. The value is `nil` if none is stored.
  public init<Wrapped>(_ location: SharedLocation<Value>) where Value == Wrapped? { shared = Shared(location) }

  /// Creates a property that reads the value of another one: `SharedReader($turns)`.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// Creates a property that refers to another one, `$settings`.
  public init(projectedValue: SharedReader<Value>) { self = projectedValue }

  /// The current value.
  public var wrappedValue: Value { shared.wrappedValue }

  /// A reference to the property. Setting it replaces the key.
  public var projectedValue: SharedReader<Value> {
    get { SharedReader(shared.projectedValue) }
    nonmutating set { shared.projectedValue = newValue.shared }
  }

  /// Replaces the key.
  public func load(_ key: SharedKey<Value>) { shared.load(key) }

  /// Replaces the key by one for another location, with the same default.
  public func load(_ location: SharedLocation<Value>) { shared.load(location) }

  /// Publishes the current value and then each new value.
  public var publisher: AnyPublisher<Value, Never> { shared.publisher }
}

/// Passes a value to a closure on another thread. The caller must not use the value afterwards, or
/// must synchronise the accesses.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value
}

extension Guarded {
  /// The stored value. If there is none, this function stores and returns the value that `make`
  /// creates. `make` is foreign code, so it runs outside of the lock. If two threads create a value
  /// at the same time, both use the value that was stored first.
  func orFirst<Wrapped>(_ make: () -> Wrapped) -> Wrapped where Value == Wrapped? {
    if let known = current { return known }
    let made = make()
    return withLock { known in
      let first = known ?? made
      known = first
      return first
    }
  }
}
