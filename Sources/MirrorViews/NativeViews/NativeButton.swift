/// `Button`, with its role as a class. ``ViewRegistry/native`` registers it, also for
/// `LiveSubmitButton`, and ``NativeToggle``.
struct NativeButton: PageView {
  @ObservedElement private var element
  @Attribute("role") private var role: Role?
  @Disabled private var isDisabled: Bool

  private enum Role: String, CaseIterable, AttributeDecodable { case destructive, cancel }

  var body: some View {
    NativeTag(
      .div, role.map { "button \($0.rawValue)" } ?? "button", of: element,
      HTMLAttributes(
        role: "button", label: Slot(children: element.children).isDrawn ? nil : "Button", isDisabled: isDisabled)
    ) {
      Children(of: element)
    }
  }
}

/// `Toggle`: a switch and its label.
struct NativeToggle: PageView {
  @ObservedElement private var element
  @ChangeTracked(attribute: "isOn") private var isOn: Bool
  @Disabled private var isDisabled: Bool

  var body: some View {
    let label = NativeControlLabel(Slot(children: element.children))
    NativeTag(.label, "control toggle", of: element) {
      label
      NativeTag(
        .input, "switch", of: nil,
        HTMLAttributes(
          role: "switch", label: label.isDrawn ? nil : "Toggle", type: "checkbox", isChecked: isOn,
          isDisabled: isDisabled))
    }
    .controls("isOn", isDisabled: isDisabled, decide: ControlInput.deciding(insteadOf: isOn)) { isOn = $0.isOn }
  }
}
