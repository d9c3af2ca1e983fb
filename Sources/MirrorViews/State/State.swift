internal import NodeObservation

/// A value that the tree keeps until the view ends. If it is set to a different value, the body is
/// evaluated again.
///
/// ```swift
/// struct Disclosure: View {
///   @State var isOpen = false
///   var body: some View { if isOpen { Text("…") } }
/// }
/// ```
///
/// Setting an equal value does nothing.
@propertyWrapper public struct State<Value>: KeptProperty {
  private let link: PropertyLink<StateStorage<Value>>
  private let initial: Value

  /// Creates a state with an initial value.
  public init(wrappedValue: Value) {
    initial = wrappedValue
    link = PropertyLink()
  }

  /// Creates a state with an initial value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// The value. Before the view is in a tree, the property has the initial value, and setting it
  /// has no effect.
  public var wrappedValue: Value {
    get { link.target?.value ?? initial }
    nonmutating set { link.target?.set(newValue) }
  }

  /// A binding to the value, for a view in the body.
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }

  /// Connects the property to the stored value of the view. If there is none, the initial value is
  /// stored.
  ///
  /// If one view value is used in two positions, its property is connected to the position that was
  /// bound last. Setting the state from the other position would change the wrong view. Therefore
  /// the tree records a problem for such a view value.
  public func bind(to context: PropertyContext) {
    let storage = context.stored { StateStorage(initial, of: context.view, name: context.name) }
    if let other = link.target, other !== storage, other.isKept { context.noteSharedValue() }
    link.target = storage
  }
}

/// The stored value of a ``State`` or a ``ChangeTracked``, kept in the storage of the view. The
/// lock of the ``ViewTree`` guards the value. Once the view or the tree no longer exists, the value
/// cannot change, so it is read without a lock.
///
/// If the value changes, the tree invalidates the view of the state. Other readers, such as an
/// observing closure that reads a binding, are notified through `readers`.
final class StateStorage<Value>: ReadSource, @unchecked Sendable {
  private var current: Value
  private weak var view: ViewNode?
  private let name: String
  private let readers = ReaderList()

  init(_ value: Value, of view: ViewNode, name: String) {
    current = value
    self.view = view
    self.name = name
  }

  var value: Value {
    guard let reader = Reader.current, reader.readsStates else { return plainValue }
    let key = ReadKey(self)
    reader.follow(key) { self }
    let seen = plainValue
    reader.note(key, .value, because: .state(name)) { Inputs.areEqual(self.plainValue, seen) }
    return seen
  }

  private var plainValue: Value { view?.tree.map { tree in tree.locked { current } } ?? current }

  func set(_ value: Value) {
    guard let view, let tree = view.tree else { return }
    Publication.run {
      let isOther = store(value, in: tree)
      if isOther { tree.invalidate(view, because: .state(name)) }
      // The result is ignored: a reader that is stopped because of a cycle reports the cycle
      // itself.
      if isOther { _ = readers.signal(ReadKey(self)) }
    }
  }

  /// Sets the value without invalidating the view. ``ChangeTracked`` calls it when the view is
  /// about to be evaluated anyway, so that no further evaluation is needed.
  func reset(to value: Value) {
    if let tree = view?.tree, store(value, in: tree) { _ = readers.signal(ReadKey(self)) }
  }

  /// - Returns: whether the new value differs from the old one. Only then is it stored.
  private func store(_ value: Value, in tree: ViewTree) -> Bool {
    tree.locked {
      if Inputs.areEqual(current, value) { return false }
      current = value
      return true
    }
  }

  /// Whether the view of the state has not ended.
  var isKept: Bool { view?.isAlive == true }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }
}
