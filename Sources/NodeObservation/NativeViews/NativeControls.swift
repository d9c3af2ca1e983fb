/// What views of controls have in common: nobody can operate them, for a mirror has no user.
extension HTMLAttributes {
  static func button(disabled: Bool) -> HTMLAttributes { HTMLAttributes(role: "button", isDisabled: disabled) }
}

/// `Button`, by its role.
struct NativeButton: View {
  @ObservedElement private var element
  @Attribute("role") private var role: Role?
  @Attribute("disabled") private var isDisabled: Bool

  private enum Role: String, CaseIterable, AttributeDecodable { case destructive, cancel }

  var body: some View {
    NativeTag(.div, role.map { "button \($0.rawValue)" } ?? "button", of: element, .button(disabled: isDisabled)) {
      Children(of: element)
    }
  }
}

/// `Toggle`: a switch and its label.
struct NativeToggle: View {
  @ObservedElement private var element
  @Attribute("isOn") private var isOn: Bool
  @Attribute("disabled") private var isDisabled: Bool

  var body: some View {
    NativeTag(.label, "control toggle", of: element) {
      NativeTag(.span, "control-label") { Children(of: element) }
      NativeTag(
        .input, "switch", of: nil,
        HTMLAttributes(role: "switch", type: "checkbox", isChecked: isOn, isDisabled: isDisabled))
    }
  }
}

/// `TextField`, `SecureField` and `TextEditor`: a field with the text of now, which cannot be edited.
struct NativeField: View {
  enum Kind { case line, secret, editor }

  let kind: Kind
  @ObservedElement private var element
  @Attribute("text") private var text: String?
  @Attribute("value") private var value: String?
  @Attribute("prompt") private var prompt: String?
  @Attribute("placeholder") private var placeholder: String?
  @Attribute("disabled") private var isDisabled: Bool
  @Attribute("axis") private var axis = Axis.horizontal

  private enum Axis: String, CaseIterable, AttributeDecodable { case horizontal, vertical }

  init(_ kind: Kind) { self.kind = kind }

  var body: some View {
    let text = text ?? value ?? ""
    NativeTag(.label, "control field", of: element) {
      if !element.children.isEmpty { NativeTag(.span, "control-label") { Children(of: element) } }
      if kind == .editor || axis == .vertical && kind == .line {
        NativeTag(.textarea, "input", of: nil, attributes()) {
          // A parser drops the first line feed.
          Text(text.utf8.first == UInt8(ascii: "\n") ? "\n" + text : text)
        }
      } else {
        // What is secret is not told, nor how long it is.
        NativeTag(.input, "input", of: nil, attributes(value: kind == .secret && !text.isEmpty ? "••••••••" : text))
      }
    }
  }

  private func attributes(value: String? = nil) -> HTMLAttributes {
    HTMLAttributes(
      type: value.map { _ in kind == .secret ? "password" : "text" }, value: value, placeholder: prompt ?? placeholder,
      isDisabled: isDisabled, isReadOnly: true)
  }
}

/// `DatePicker` and `ColorPicker`: the label, and what is chosen.
struct NativeValuePicker: View {
  let name: String
  @ObservedElement(observeChildren: true) private var element
  @Attribute("selection") private var selection: String?
  @Attribute("title") private var title: String?
  @Attribute("disabled") private var isDisabled: Bool

  init(_ name: String) { self.name = name }

  var body: some View {
    let slots = Slots(of: element, named: "label")
    NativeTag(.div, "control \(name)", of: element, HTMLAttributes(isDisabled: isDisabled)) {
      NativeTag(.span, "control-label") {
        if let title { Text(title) }
        if let label = slots["label"] { label }
        slots.content
      }
      NativeTag(.output, "value") { Text(selection ?? "—") }
    }
  }
}
