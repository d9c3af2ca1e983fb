#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif
public import MarkupDocument

/// An attribute of the element whose view this is, as a value.
///
/// ```swift
/// @Attribute("count") var count = 0
/// @Attribute("disabled") var isDisabled: Bool
/// @Attribute("phx-value-id") var id: String?
/// ```
///
/// An attribute that does not decode gives the value that the property begins with, and is said among the tree's
/// ``ViewTree/problems``: which element, which attribute, what stood there and what would fit.
@propertyWrapper public struct Attribute<Value: AttributeDecodable>: DynamicProperty {
  private let name: String
  private let initial: Value
  private let link = PropertyLink<ViewNode>()

  /// An attribute, and the value of the property where it is absent or does not decode.
  public init(wrappedValue: Value, _ name: String) {
    self.name = name
    initial = wrappedValue
  }

  /// The attribute as it was when the element last changed.
  public var wrappedValue: Value {
    guard let view = link.target, let element = view.elementView.element else { return initial }
    do throws(AttributeDecodingError) {
      return try element.decode(Value.self, from: name) ?? initial
    } catch {
      view.tree?.note(ViewProblem(node: element.node, message: error.description))
      return initial
    }
  }

  /// Passes on which node changed, as ``ObservedElement/projectedValue`` does.
  public var projectedValue: AnyPublisher<NodeRef, Never> {
    link.target?.elementView.observer?.changes.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher()
  }

  /// The view is told of its element from here on.
  public func bind(to context: PropertyContext) {
    link.target = context.view
    context.view.readElement()
  }
}

extension Attribute: Equatable {
  /// Whether they read one attribute, and stand for the same where it is absent.
  public static func == (a: Self, b: Self) -> Bool { a.name == b.name && Inputs.areEqual(a.initial, b.initial) }
}

extension Attribute where Value: ExpressibleByNilLiteral {
  /// An attribute that is `nil` where it is absent or does not decode.
  public init(_ name: String) { self.init(wrappedValue: nil, name) }
}

extension Attribute where Value == Bool {
  /// An attribute that is true where it is there, by LiveView's rule.
  public init(_ name: String) { self.init(wrappedValue: false, name) }
}
