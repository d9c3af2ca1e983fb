internal import MarkupDocument
internal import NodeObservation

/// Whether a control is disabled, by its own attribute or by an element around it. Native controls
/// such as ``NativeToggle`` use this property wrapper.
@propertyWrapper struct Disabled: DynamicProperty, Equatable {
  @Attribute("disabled") private var own: Bool
  @Environment(\.isEnabled) private var isEnabled

  var wrappedValue: Bool { own || !isEnabled }
}

/// A value that all views of a page share; `nil` until a view sets it. ``NativeMenu`` has a
/// `PageValue` for the open menu.
///
/// The value is kept in ``ViewTree/pageValues`` under its name, so all properties with one name
/// must have the same type.
@propertyWrapper struct PageValue<Value: Equatable & Sendable>: KeptProperty {
  private let name: String
  private let link = PropertyLink<SharedLink<Value?>>()

  init(_ name: String) { self.name = name }

  var wrappedValue: Value? {
    get { link.target?.cell.value ?? nil }
    nonmutating set { link.target?.current.updateOrReport { $0 = newValue } }
  }

  func bind(to context: PropertyContext) {
    guard let tree = context.view.tree else { return }
    link.target = context.stored { SharedLink(SharedKey(name, default: nil, in: tree.pageValues)) }
  }
}

extension ControlInput {
  /// Whether the person acts on the control itself, and not on an element inside it.
  var isOnControl: Bool { child == nil }

  /// A function that decides the new value of a control that is on or off, such as a ``Toggle``.
  /// Input without a value switches the control.
  static func deciding(insteadOf old: Bool) -> (ControlInput) throws(InputRefusal) -> ControlValue {
    { input throws(InputRefusal) in
      switch input.value {
      case nil: return .isOn(!old)
      case "true": return .isOn(true)
      case "false": return .isOn(false)
      case let value?: throw InputRefusal("takes true or false, not \"\(value.prefix(100))\"")
      }
    }
  }

  /// A function that decides the new value of a control with choices, such as a `Picker`. Each
  /// choice is a child element and its value. Input without a value selects the choice whose child
  /// element the person acts on.
  static func deciding(
    among choices: [(node: NodeRef, value: String)]
  ) -> (ControlInput) throws(InputRefusal) -> ControlValue {
    { input throws(InputRefusal) in
      let choice = choices.first { input.value == nil ? $0.node == input.child : $0.value == input.value }
      if let choice { return .choice(choice.value, choice.node) }
      let known = choices.prefix(20).map { "\"\($0.value.prefix(100))\"" }.joined(separator: ", ")
      throw InputRefusal(choices.isEmpty ? "has no choices" : "takes the value of a choice: \(known)")
    }
  }
}

extension ControlValue {
  var isOn: Bool { self == .isOn(true) }
}
