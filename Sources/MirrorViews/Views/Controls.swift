/// A button.
///
/// ```swift
/// Button("Add") { count += 1 }
/// ```
///
/// The markup of this example is `<button type="button">Add</button>`. ``ViewTree/tap(_:)`` taps a
/// button. Programs use this type in their own views. The view of a `Button` element is of another
/// type, `NativeButton`.
public struct Button<Label: View>: PrimitiveView {
  let action: () -> Void
  let label: Label

  /// Creates a button with views as its label.
  public init(action: @escaping () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  /// Writes the button.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    expansion.add(Control(isFor: { $0.value == nil }) { _ in view.action() }) { expansion, isDisabled in
      expansion.element("button", ["type": "button", "disabled": isDisabled ? "" : nil]) {
        Label._expand(view.label, into: &$0)
      }
    }
  }
}

extension Button where Label == Text {
  /// Creates a button with a text as its label.
  public init(_ title: String, action: @escaping () -> Void) { self.init(action: action) { Text(title) } }
}

/// A switch with a label. It is written as a check box in a `label`. ``ViewTree/tap(_:)`` switches
/// it.
public struct Toggle<Label: View>: PrimitiveView {
  let isOn: Binding<Bool>
  let label: Label

  /// Creates a toggle with views as its label.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  /// Writes the switch and its label.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    let isOn = view.isOn
    let control = Control { input throws(InputRefusal) in
      isOn.wrappedValue = try ControlInput.deciding(insteadOf: isOn.wrappedValue)(input).isOn
    }
    expansion.add(control) { expansion, isDisabled in
      expansion.element("label", [:]) { expansion in
        expansion.element(
          "input", ["type": "checkbox", "checked": isOn.wrappedValue ? "" : nil, "disabled": isDisabled ? "" : nil])
        Label._expand(view.label, into: &expansion)
      }
    }
  }
}

extension Toggle where Label == Text {
  /// Creates a toggle with a text as its label.
  public init(_ title: String, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}

/// A control that sets a number in a range. It is written as `<input type="range">`.
/// ``ViewTree/set(_:of:)`` moves it.
public struct Slider<Value: BinaryFloatingPoint>: PrimitiveView {
  let value: Binding<Value>
  let bounds: ClosedRange<Value>
  let step: Value?

  /// Creates a slider. A value outside of `bounds` is drawn at the nearest bound.
  ///
  /// - Parameters:
  ///   - value: the number.
  ///   - bounds: the range of the numbers.
  ///   - step: the distance between two neighbouring values; `nil` if any value of the range can be
  ///     set.
  public init(value: Binding<Value>, in bounds: ClosedRange<Value> = 0...1, step: Value? = nil) {
    self.value = value
    self.bounds = bounds
    self.step = step
  }

  /// Writes the slider.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    let (value, bounds) = (view.value, view.bounds)
    let control = Control(isFor: { $0.value != nil }) { input throws(InputRefusal) in
      guard let number = input.value.flatMap(Double.init).map({ Value($0) }), bounds.contains(number) else {
        throw InputRefusal("takes a number from \(bounds.lowerBound) to \(bounds.upperBound)")
      }
      value.wrappedValue = number
    }
    expansion.add(control) { expansion, isDisabled in
      expansion.element(
        "input",
        [
          "type": "range", "min": Double(bounds.lowerBound).shortest, "max": Double(bounds.upperBound).shortest,
          "step": view.step.map { Double($0).shortest } ?? "any", "value": Double(value.wrappedValue).shortest,
          "disabled": isDisabled ? "" : nil,
        ])
    }
  }
}

/// A control for one line of text. It is written as `<input type="text">`. ``ViewTree/set(_:of:)``
/// sets the text.
public struct TextField: PrimitiveView {
  let prompt: String
  let text: Binding<String>

  /// Creates a field. The prompt is also the name by which ``ViewTree/set(_:of:)`` finds the field.
  public init(_ prompt: String, text: Binding<String>) { (self.prompt, self.text) = (prompt, text) }

  /// Writes the field.
  public static func _expand(_ view: Self, into expansion: inout Expansion) {
    let text = view.text
    let control = Control(name: view.prompt, isFor: { $0.value != nil }) { input throws(InputRefusal) in
      text.wrappedValue = input.value ?? ""
    }
    expansion.add(control) { expansion, isDisabled in
      expansion.element(
        "input",
        [
          "type": "text", "placeholder": view.prompt, "value": text.wrappedValue, "disabled": isDisabled ? "" : nil,
        ])
    }
  }
}

nonisolated extension View {
  /// Runs an action when a person taps the view.
  public func onTapGesture(perform action: @escaping () -> Void) -> some View {
    onInput(where: { $0.value == nil }) { _ in action() }
  }
}
