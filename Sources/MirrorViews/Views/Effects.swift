public import NodeObservation

// Actions that a body has besides its markup. The actions belong to the view whose body contains
// them. They run after the evaluation, when no lock is held. If an action sets a value that the
// body reads, the body is therefore evaluated once more.

nonisolated extension View {
  /// Runs an action when the view appears: after the evaluation that first contains it.
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    EffectView(content: self, begin: Effect.init) { _, isNew in isNew ? action : nil }
  }

  /// Runs an action when the view disappears: after the evaluation that no longer contains it, or
  /// when its enclosing view ends.
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    EffectView(content: self, begin: Effect.init) { effect, _ in
      effect.onDisappear = action
      return nil
    }
  }

  /// Runs an action after each evaluation of the body in which `value` differs from that of the
  /// previous evaluation.
  ///
  /// - Parameters:
  ///   - value: the value to compare.
  ///   - initial: whether the action also runs when the view appears.
  ///   - action: receives the old and the new value. When the view appears, both are the first
  ///     value.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> some View {
    EffectView(content: self, begin: { ValueEffect(value) }) { effect, isNew in
      let old = effect.value
      effect.value = value
      return (isNew ? initial : old != value) ? { action(old, value) } : nil
    }
  }

  /// Runs an action after each evaluation of the body in which `value` differs from that of the
  /// previous evaluation.
  public func onChange(of value: some Equatable, initial: Bool = false, _ action: @escaping () -> Void) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  /// Runs an action with the new value after each evaluation of the body in which the value differs
  /// from that of the previous evaluation.
  public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> some View {
    onChange(of: value) { _, new in action(new) }
  }

  /// Runs an action for each value of a publisher, from the appearance of the view to its
  /// disappearance.
  ///
  /// The action runs on the main actor if the tree belongs to it, and otherwise on the thread that
  /// publishes. A `@Published` property publishes before it stores its new value. Therefore the
  /// views that the action invalidates are evaluated later, as described for ``ObservedObject``.
  ///
  /// A body makes a new publisher at each evaluation. The subscription is kept if the new publisher
  /// has the same type as the previous one and observes the same objects. The closures of its
  /// operators, such as that of `filter`, then remain those of the first publisher. The action is
  /// always that of the last evaluation.
  public func onReceive<Source: Publisher>(
    _ publisher: Source, perform action: @escaping (Source.Output) -> Void
  ) -> some View where Source.Failure == Never {
    EffectView(content: self, begin: { Reception(of: publisher, action) }) { reception, isNew in
      reception.action = action
      if !isNew, PublisherIdentity.isSame(reception.publisher, publisher) { return nil }
      reception.publisher = publisher
      return { reception.subscribe() }
    }
  }
}

/// An action of a body. The view keeps the effect from one evaluation to the next.
/// ``Expansion/keep(_:_:_:)`` creates the effect at the first evaluation that contains it.
/// ``ViewNode`` ends the effect once, when a body no longer contains it or the view ends. The
/// properties of an effect are set under the lock of the tree.
class Effect {
  var onDisappear: (() -> Void)?
  weak var tree: ViewTree?

  func end() { onDisappear?() }
}

/// Keeps the last value of `onChange(of:)`, which the next evaluation compares with the new one.
private final class ValueEffect<Value>: Effect {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The subscription of ``View/onReceive(_:perform:)``.
private final class Reception<Source: Publisher>: Effect where Source.Failure == Never {
  // The lock of the tree guards the properties.
  var publisher: Source
  var action: (Source.Output) -> Void
  private var subscription: AnyCancellable?
  private var hasEnded = false

  init(of publisher: Source, _ action: @escaping (Source.Output) -> Void) {
    (self.publisher, self.action) = (publisher, action)
  }

  func subscribe() {
    guard let tree, let publisher = tree.locked({ hasEnded ? nil : publisher }) else { return }
    keep(publisher.sink { [weak self] in self?.receive($0) }, in: tree)
  }

  override func end() {
    guard let tree else { return subscription = nil }
    tree.locked { hasEnded = true }
    keep(nil, in: tree)
  }

  /// Replaces the subscription. The old subscription is cancelled outside of the lock, because
  /// cancelling calls foreign code.
  private func keep(_ new: AnyCancellable?, in tree: ViewTree) {
    let old = tree.locked {
      // A value that arrived during the call of `sink` may have ended the view. The new
      // subscription is then cancelled.
      if hasEnded, new != nil { return new }
      defer { subscription = new }
      return subscription
    }
    old?.cancel()
  }

  private func receive(_ value: Source.Output) {
    guard let tree else { return }
    // If the tree belongs to the main actor and another thread publishes, this closure runs later.
    // The view may then have ended or have another action, so both are looked up in the closure.
    tree.announcing { tree.locked { self.hasEnded ? nil : self.action }?(value) }
  }
}

/// Compares the publishers that two evaluations of a body have made, for
/// ``View/onReceive(_:perform:)``.
private enum PublisherIdentity {
  /// Whether two publishers have the same type and observe the same objects. Functions cannot be
  /// compared, so two functions of one type count as equal. Two schedulers of one type count as
  /// equal too.
  ///
  /// - Complexity: O(*operators*), by reflection.
  ///
  /// - Parameter areBoxes: whether the values are the boxes in which type-erased publishers keep
  ///   other publishers. Boxes are objects, but are compared by their content.
  static func isSame(_ a: Any, _ b: Any, areBoxes: Bool = false) -> Bool {
    guard type(of: a) == type(of: b) else { return false }
    if a is any Scheduler { return true }
    if let a = a as? any Equatable { return Inputs.areEqual(a, b) }
    let (left, right) = (Mirror(reflecting: a), Mirror(reflecting: b))
    if left.displayStyle == .class, !areBoxes { return (a as AnyObject) === (b as AnyObject) }
    let isErased = a is any ErasedPublisher
    return left.children.count == right.children.count
      && zip(left.children, right.children).allSatisfy { isSame($0.value, $1.value, areBoxes: isErased) }
  }
}

/// Marks type-erased publishers. Their stored properties are boxes, which are compared by content.
private protocol ErasedPublisher {}
extension AnyPublisher: ErasedPublisher {}

/// Content with an ``Effect``, which is kept as long as the view: the result of the modifiers of
/// this file.
private struct EffectView<Content: View, Kept: Effect>: PrimitiveView {
  let content: Content
  /// Creates the effect when the view appears.
  let begin: () -> Kept
  /// Called at each evaluation: updates the effect, and returns the action that runs after the
  /// evaluation, or `nil`.
  let update: (Kept, _ isNew: Bool) -> (() -> Void)?

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.keep(view.begin, view.update) { Content._expand(view.content, into: &$0) }
  }
}

/// Identifies an effect in all evaluations of a body: by the position of its view, by the type of
/// the effect, and by its index among the effects of this type at this position, counted from the
/// outermost.
struct EffectKey: Hashable {
  let position: ViewKey
  let kind: ObjectIdentifier
  var place = 0
}
