public import Observation

/// Values that a view passes to all views inside it. Views read them with ``Environment``. The
/// innermost value of a key applies: it hides the values that enclosing views have set for the same
/// key.
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
  /// An entry of a linked list of the values that were set. The value that was set last comes
  /// first. Most views share the whole list with their enclosing views.
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

  /// An environment in which no value is set.
  public init() {}

  /// The value of a key, or the default value of the key if no value is set.
  ///
  /// - Complexity: O(*values that are set*).
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { value(ObjectIdentifier(key)) as? Key.Value ?? key.defaultValue }
    set { frame = Frame(ObjectIdentifier(key), newValue, over: frame) }
  }

  /// The object of a type; `nil` if no enclosing view has set one.
  func object<Object: AnyObject>(of type: Object.Type) -> Object? { value(ObjectIdentifier(type)) as? Object }

  /// Provides an object under its type.
  mutating func provide<Object: AnyObject>(_ object: Object) {
    frame = Frame(ObjectIdentifier(Object.self), object, over: frame)
  }

  private func value(_ key: ObjectIdentifier) -> Any? {
    var frame = frame
    while let step = frame {
      if step.key == key { return step.value }
      frame = step.outer
    }
    return nil
  }

  /// Whether the same values were set in the same order. Values that cannot be compared count as
  /// different.
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

/// Identifies a value of the environment, and gives its default.
public protocol EnvironmentKey {
  /// The type of the value. It should be `Equatable`: if the value differs, the views that read it
  /// are evaluated again, and values that cannot be compared always count as different.
  associatedtype Value
  /// The value if no enclosing view sets one.
  static var defaultValue: Value { get }
}

nonisolated extension View {
  /// Sets a value of the environment for this view and all views inside it.
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    EnvironmentView(content: self) { $0[keyPath: path] = value }
  }

  /// Provides an `@Observable` object to this view and all views inside it. The views find the
  /// object by its type, with ``Environment``.
  public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View {
    EnvironmentView(content: self) { values in object.map { values.provide($0) } }
  }

  /// Provides an object to this view and all views inside it. The views find the object by its
  /// type, with ``EnvironmentObject``.
  public func environmentObject<Object: AnyObject>(_ object: Object) -> some View {
    EnvironmentView(content: self) { $0.provide(object) }
  }
}

/// A view with a changed environment: the result of the `environment` modifiers and of
/// ``View/disabled(_:)``.
struct EnvironmentView<Content: View>: PrimitiveView {
  let content: Content
  let change: (inout EnvironmentValues) -> Void

  static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.with(view.change) { Content._expand(view.content, into: &$0) }
  }
}
