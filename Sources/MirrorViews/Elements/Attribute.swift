public import MarkupDocument
public import NodeObservation

/// A decoded attribute of the view's element. Views of elements declare such properties, and so do
/// the built-in views of ``ViewRegistry/native``.
///
/// ```swift
/// @Attribute("count") var count = 0
/// @Attribute("disabled") var isDisabled: Bool
/// @Attribute("phx-value-id") var id: String?
/// ```
///
/// An absent attribute has the value ``AttributeDecodable/absent`` of the type. If this is `nil`,
/// or if the attribute cannot be decoded, the property has its initial value. For an attribute that
/// cannot be decoded, ``ViewTree/problems`` reports the element, the attribute, its value and the
/// expected value.
@propertyWrapper public struct Attribute<Value: AttributeDecodable>: DynamicProperty {
  private let name: String
  private let initial: Value
  private let link = PropertyLink<ViewNode>()

  /// Creates the property for an attribute with an initial value.
  public init(wrappedValue: Value, _ name: String) {
    self.name = name
    initial = wrappedValue
  }

  /// The value decoded from the view's snapshot of its element. Before the view is in a tree, the
  /// initial value.
  public var wrappedValue: Value {
    guard let view = link.target, let element = view.elementView.element else { return initial }
    do throws(AttributeDecodingError) {
      return try element.decode(Value.self, from: name) ?? initial
    } catch {
      view.tree?.note(ViewProblem(node: element.node, message: error.description))
      return initial
    }
  }

  /// Publishes the node that changed, like ``ObservedElement/projectedValue``.
  public var projectedValue: AnyPublisher<NodeRef, Never> {
    link.target?.elementView.observer?.changes.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher()
  }

  /// Subscribes the view to its element.
  public func bind(to context: PropertyContext) {
    link.target = context.view
    context.view.readElement()
  }
}

extension Attribute: ElementProperty {
  var declaration: String { "@Attribute(\"\(name)\")" }
  var readsElement: Bool { true }
  var observesChildren: Bool { false }
}

extension Attribute: Equatable {
  /// Whether both read the same attribute and have the same initial value.
  public static func == (a: Self, b: Self) -> Bool { a.name == b.name && Inputs.areEqual(a.initial, b.initial) }
}

extension Attribute where Value: ExpressibleByNilLiteral {
  /// Creates the property for an attribute. If the attribute is absent or cannot be decoded, the
  /// property is `nil`.
  public init(_ name: String) { self.init(wrappedValue: nil, name) }
}

extension Attribute where Value == Bool {
  /// Creates the property for an attribute. It is true if the attribute is present, unless its
  /// value is `"false"`.
  public init(_ name: String) { self.init(wrappedValue: false, name) }
}
