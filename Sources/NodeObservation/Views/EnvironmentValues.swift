/// What a view passes on to all that stand in it, without naming it on the way.
///
/// ```swift
/// private enum LevelKey: EnvironmentKey { static let defaultValue = 1 }
/// extension EnvironmentValues {
///   var level: Int {
///     get { self[LevelKey.self] }
///     set { self[LevelKey.self] = newValue }
///   }
/// }
/// ```
public struct EnvironmentValues: Equatable {
  /// What was set last, and below it what was set before: most views share all of it with their parents.
  private final class Frame {
    let key: ObjectIdentifier
    let value: Any
    let outer: Frame?

    init(_ key: ObjectIdentifier, _ value: Any, over outer: Frame?) {
      self.key = key
      self.value = value
      self.outer = outer
    }
  }

  private var frame: Frame?

  /// Nothing is set.
  public init() {}

  /// - Complexity: O(*values that are set*).
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { value(ObjectIdentifier(key)) as? Key.Value ?? key.defaultValue }
    set { frame = Frame(ObjectIdentifier(key), newValue, over: frame) }
  }

  /// The object of a type that a view above put here.
  subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
    get { value(ObjectIdentifier(type)) as? Object }
    set { if let newValue { frame = Frame(ObjectIdentifier(type), newValue, over: frame) } }
  }

  private func value(_ key: ObjectIdentifier) -> Any? {
    var frame = frame
    while let step = frame {
      if step.key == key { return step.value }
      frame = step.outer
    }
    return nil
  }

  /// Whether the same was set, in the same order. Values that cannot be compared are taken for different ones.
  public static func == (a: Self, b: Self) -> Bool {
    var (a, b) = (a.frame, b.frame)
    while a !== b {
      guard let left = a, let right = b, left.key == right.key, Inputs.areEqual(left.value, right.value) else {
        return false
      }
      (a, b) = (left.outer, right.outer)
    }
    return true
  }
}

/// Names a value of the environment, and says what it is where nobody set it.
public protocol EnvironmentKey {
  /// What the value is. Let it be `Equatable`: the views below are evaluated when it differs.
  associatedtype Value
  /// The value where nobody set it.
  static var defaultValue: Value { get }
}

extension View {
  /// Sets a value for everything in this view.
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    EnvironmentView(content: self) { $0[keyPath: path] = value }
  }

  /// Lets everything in this view find an object by its type, see ``EnvironmentObject``.
  public func environmentObject<Object: AnyObject>(_ object: Object) -> some View {
    EnvironmentView(content: self) { $0[object: Object.self] = object }
  }
}

/// A view in another environment.
struct EnvironmentView<Content: View>: PrimitiveView {
  let content: Content
  let change: (inout EnvironmentValues) -> Void

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.with(view.change) { Content._expand(view.content, into: &$0) }
  }
}
