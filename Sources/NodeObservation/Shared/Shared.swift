#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A value behind a key, the same wherever it is read: in views, in objects, in functions, on any thread.
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
/// A view is evaluated again if it reads the value and the value is set to a different one. Set by a subscriber, the
/// value is what it was until all have been told of what they are being told; see ``SharedReference/set(_:)``.
@propertyWrapper public struct Shared<Value: Equatable & Sendable>: DynamicProperty, Sendable {
  private let key: SharedKey<Value>
  /// `nil` until it is needed: many views are made that are never shown, and a store may have work to do.
  private let place: Guarded<SharedLink<Value>?> = Guarded(nil)

  /// The value of a key. The store is asked for it when it is used for the first time.
  public init(_ key: SharedKey<Value>) { self.key = key }

  /// Made outside of the lock, for a store is foreign code; of two the first holds.
  private var link: SharedLink<Value> {
    if let known = place.withLock({ $0 }) { return known }
    let made = SharedLink(key)
    return place.withLock { known in
      let link = known ?? made
      known = link
      return link
    }
  }

  /// The value as it is now. Setting one that is equal does nothing; what goes wrong becomes the store's
  /// ``SharedStore/lastError``.
  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set { projectedValue.wrappedValue = newValue }
  }

  /// The value to pass on, and all that can be done with it.
  public var projectedValue: SharedReference<Value> { SharedReference(link: link) }

  /// In a view it is the view that keeps where this points to, for as long as it is the same view and the view around it
  /// names the same key.
  public func bind(to context: PropertyContext) {
    let kept = context.stored { link }
    if kept.initialKey != key { kept.restart(at: key) }
    place.withLock { $0 = kept }
  }
}

extension Shared: Equatable {
  /// Whether they name the same key.
  public static func == (a: Self, b: Self) -> Bool { a.key == b.key }
}

/// A shared value to pass on: `$filter` of `@Shared var filter`.
@propertyWrapper @dynamicMemberLookup public struct SharedReference<Value: Equatable & Sendable>: Sendable {
  let link: SharedLink<Value>

  /// The value of a key.
  public init(_ key: SharedKey<Value>) { link = SharedLink(key) }

  init(link: SharedLink<Value>) { self.link = link }

  /// Setting one that is equal does nothing. What goes wrong becomes the store's ``SharedStore/lastError``.
  public var wrappedValue: Value {
    get { link.cell.value }
    nonmutating set { link.current.updateOrReport { $0 = newValue } }
  }

  /// The reference itself, to pass on.
  public var projectedValue: SharedReference<Value> { self }

  /// The key that it stands for now.
  public var key: SharedKey<Value> { link.key }

  /// Sets the value: at once, or, called by a subscriber or in a closure that observes, when the publication that runs
  /// has ended.
  ///
  /// - Throws: where that was put off by what was put off …, more than ``Publication/maximumDepth`` times: `a → b → a`.
  ///   The value stays what it was.
  public func set(_ value: Value) throws(PublicationCycle) { try link.current.update { $0 = value } }

  /// Changes the value into another: nobody else's change comes between what `change` is given and what it makes. It may
  /// be called more than once.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) throws(PublicationCycle) {
    try link.current.update(change)
  }

  /// The value for views that want a ``Binding``.
  public var binding: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

  /// A part of the value.
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    let path = UncheckedSendable(value: path)
    return Binding(
      get: { wrappedValue[keyPath: path.value] },
      set: { [link] part in
        let part = UncheckedSendable(value: part)
        link.current.updateOrReport { $0[keyPath: path.value] = part.value }
      })
  }

  /// The value as it is, then each one that it becomes; that of another key after ``reassign(to:)``.
  public var publisher: AnyPublisher<Value, Never> {
    link.publisher.map(\.publisher).switchToLatest().removeDuplicates().eraseToAnyPublisher()
  }

  /// Lets the property stand for another key. A view keeps that for as long as it is the same view, also when the view
  /// around it makes it anew.
  public func reassign(to key: SharedKey<Value>) { link.reassign(to: key) }
}

extension SharedReference: Equatable {
  /// Whether they go together: ``reassign(to:)`` of one is that of the other.
  public static func == (a: Self, b: Self) -> Bool { a.link === b.link }
}

/// What is handed to a closure of another thread by somebody who does not use it any more.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value
}
