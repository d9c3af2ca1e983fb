#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif

/// What a view keeps of an object that it observes: ends with the view.
final class ObjectSubscription<Object: ObservableObject> {
  private(set) var object: Object?
  private var changes: AnyCancellable?

  init(of object: Object? = nil) { self.object = object }

  /// Makes the view invalid whenever the object changes; leaves the one before.
  func follow(_ object: Object, for context: PropertyContext) {
    if self.object === object, changes != nil { return }
    self.object = object
    let name = context.name
    changes = object.objectWillChange.sink { [weak view = context.view] _ in
      guard let view else { return }
      view.tree?.invalidate(view, because: .object(name), later: true)
    }
  }

  func leave() { (object, changes) = (nil, nil) }
}
