internal import MarkupDocument
internal import NodeObservation

/// Whether a control is disabled: by its own attribute, or by an element around it.
@propertyWrapper struct Disabled: DynamicProperty, Equatable {
  @Attribute("disabled") private var own: Bool
  @Environment(\.isEnabled) private var isEnabled

  var wrappedValue: Bool { own || !isEnabled }
}

/// A value that all views of a page share; `nil` until a view sets it.
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

  /// The new value of a control that is on or off.
  func isOn(insteadOf old: Bool, unless isDisabled: Bool) throws(InputRefusal) -> Bool {
    if isDisabled { throw .disabled }
    switch value {
    case nil: return !old
    case "true": return true
    case "false": return false
    case let value?: throw InputRefusal("takes true or false, not \"\(value.prefix(100))\"")
    }
  }

  /// The new value of a control with choices, each a child element and its value.
  func choice(of choices: [(node: NodeRef, value: String)], unless isDisabled: Bool) throws(InputRefusal) -> String {
    if isDisabled { throw .disabled }
    if let choice = choices.first(where: { value == nil ? $0.node == child : $0.value == value }) {
      return choice.value
    }
    let known = choices.prefix(20).map { "\"\($0.value.prefix(100))\"" }.joined(separator: ", ")
    throw InputRefusal(choices.isEmpty ? "has no choices" : "takes the value of a choice: \(known)")
  }
}

extension InputRefusal {
  fileprivate static let disabled = InputRefusal("is disabled")
}
