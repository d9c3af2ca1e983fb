internal import NodeObservation

/// An attribute that a person can change. The property has the value that the person chose last,
/// until the server changes the attribute. Controls of ``ViewRegistry/native`` have such
/// properties, for example the view of a `Toggle`.
///
/// ```swift
/// @ChangeTracked(attribute: "isOn") var isOn: Bool
/// ```
///
/// The name and the behaviour are those of LiveView Native's `ChangeTracked`. Setting the value
/// evaluates the view with the reason `EvaluationReason/state(_:)`.
@propertyWrapper public struct ChangeTracked<Value: AttributeDecodable>: DynamicProperty {
  private let attribute: Attribute<Value>
  private let name: String
  private let link = PropertyLink<Choice>()

  private final class Choice {
    let value: StateStorage<Value?>
    /// The attribute at the last evaluation. Only ``bind(to:)`` uses it, and the lock of the tree
    /// is held then.
    var attribute: String?

    init(of context: PropertyContext, attribute: String?) {
      value = StateStorage(nil, of: context.view, name: context.name)
      self.attribute = attribute
    }
  }

  /// Creates the property for an attribute. If nothing was chosen, the property has the value that
  /// an ``Attribute`` with this initial value would have.
  public init(wrappedValue: Value, attribute name: String) {
    self.name = name
    attribute = Attribute(wrappedValue: wrappedValue, name)
  }

  /// The chosen value, or else the value of the attribute. Before the view is in a tree, setting it
  /// has no effect.
  public var wrappedValue: Value {
    get { link.target?.value.value ?? attribute.wrappedValue }
    nonmutating set { link.target?.value.set(newValue) }
  }

  /// A binding to the value, for a view in the body.
  public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

  /// Subscribes the view to its element. If the server has changed the attribute, the chosen value
  /// is forgotten.
  public func bind(to context: PropertyContext) {
    attribute.bind(to: context)
    let current = context.view.elementView.element?[name]
    let choice = context.stored { Choice(of: context, attribute: current) }
    if choice.attribute != current {
      choice.attribute = current
      choice.value.reset(to: nil)
    }
    link.target = choice
  }
}

extension ChangeTracked: ElementProperty {
  var declaration: String { "@ChangeTracked(attribute: \"\(name)\")" }
  var readsElement: Bool { true }
  var observesChildren: Bool { false }
}

extension ChangeTracked: Equatable {
  /// Whether both read the same attribute and have the same initial value.
  public static func == (a: Self, b: Self) -> Bool { a.attribute == b.attribute }
}

extension ChangeTracked where Value: ExpressibleByNilLiteral {
  /// Creates the property for an attribute. If the attribute is absent and nothing was chosen, the
  /// property is `nil`.
  public init(attribute name: String) { self.init(wrappedValue: nil, attribute: name) }
}

extension ChangeTracked where Value == Bool {
  /// Creates the property for an attribute. If nothing was chosen, it is true if the attribute is
  /// present, unless its value is `"false"`.
  public init(attribute name: String) { self.init(wrappedValue: false, attribute: name) }
}
