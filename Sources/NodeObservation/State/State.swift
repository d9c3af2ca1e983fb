/// A value that a view keeps for as long as it is the same view. Setting it evaluates the body again.
///
/// ```swift
/// struct Disclosure: View {
///   @State var isOpen = false
///   var body: some View { if isOpen { Text("…") } }
/// }
/// ```
///
/// Setting an equal value changes nothing and evaluates nothing.
@propertyWrapper public struct State<Value>: KeptProperty {
  private let link: PropertyLink<StateStorage<Value>>
  private let initial: Value

  /// A value to begin with, when the view is made for the first time.
  public init(wrappedValue: Value) {
    initial = wrappedValue
    link = PropertyLink()
  }

  /// Before the view stands in a tree, what it begins with; setting it then does nothing.
  public var wrappedValue: Value {
    get { link.target?.value ?? initial }
    nonmutating set { link.target?.set(newValue) }
  }

  /// The value, to read and set elsewhere: in a view that this one holds.
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }

  /// Finds the value that the view has kept, or begins with the first.
  ///
  /// One value of a view that stands in two places has one link, to the last of them: setting the state would reach that
  /// one, whoever set it. So it is said among the tree's problems.
  public func bind(to context: PropertyContext) {
    let storage = context.stored { StateStorage(initial, of: context.view, name: context.name) }
    if let other = link.target, other !== storage, other.isKept { context.noteSharedValue() }
    link.target = storage
  }
}

/// Where a state stands.
///
/// The view whose state it is is evaluated again by its tree; others, such as a binding, read it as they read anything.
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
      let isOther = tree.locked {
        if Inputs.areEqual(current, value) { return false }
        current = value
        return true
      }
      if isOther { tree.invalidate(view, because: .state(name)) }
      // One that would run for ever knows so itself.
      if isOther { _ = readers.signal(ReadKey(self)) }
    }
  }

  /// Whether the view whose state it is still stands.
  var isKept: Bool { view?.isAlive == true }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }
}
