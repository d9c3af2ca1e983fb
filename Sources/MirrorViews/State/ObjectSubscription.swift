internal import NodeObservation

/// A view's subscription to an object. It is in the storage of the view, so it ends when the view ends.
final class ObjectSubscription<Object: ObservableObject> {
  private(set) var object: Object?
  private var changes: AnyCancellable?

  init(of object: Object? = nil) { self.object = object }

  /// Invalidates the view whenever the object announces a change. The subscription to a previous object ends.
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
