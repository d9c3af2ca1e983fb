internal import MarkupDocument

/// `Picker`: its label and its choices, the chosen one marked. What the choice is called in the wire is shown nowhere.
///
/// A choice is an element with a `tag`, directly in the picker; what stands deeper is shown as it is.
struct NativePicker: View {
  @ObservedElement(observeChildren: true) private var element
  @Attribute("selection") private var selection: String?
  @Attribute("title") private var title: String?
  @Attribute("disabled") private var isDisabled: Bool

  private struct Choice: Identifiable {
    let id: ElementID
    let child: ElementNode.ChildElement
    let isSelected: Bool
  }

  var body: some View {
    let slots = Slots(of: element, named: "label", "content", "currentValueLabel")
    NativeTag(.div, "control picker", of: element, HTMLAttributes(isDisabled: isDisabled)) {
      NativeControlLabel(title: title, slots["label"])
      if let label = slots["currentValueLabel"] { NativeTag(.output, "value") { label } }
      NativeTag(.div, "choices", of: nil, HTMLAttributes(role: "listbox")) {
        ForEach(choices) { choice in
          NativeTag(.div, "choice", of: nil, HTMLAttributes(role: "option", isSelected: choice.isSelected)) {
            ElementView(choice.child)
          }
        }
        if let content = slots["content"] { content }
        others(slots)
      }
    }
  }

  private var choices: [Choice] {
    element.childElements.compactMap { child in
      guard child["template"] == nil, let tag = child["tag"] else { return nil }
      return Choice(id: child.id, child: child, isSelected: tag == selection)
    }
  }

  /// What is no choice.
  private func others(_ slots: Slots) -> Slot {
    let chosen = Set(choices.map(\.child.node))
    var slot = slots.content
    slot.children.removeAll { child in
      if case .element(let node) = child { chosen.contains(node) } else { false }
    }
    return slot
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
      NativeControlLabel(title: title, slots["label"], slots.content)
      NativeTag(.output, "value") { Text(selection ?? "—") }
    }
  }
}

extension ElementNode.ChildElement {
  /// The value of an attribute as it stands now: who reads it observes the children.
  subscript(name: String) -> String? { source.reading { $0.content(of: node)?.element?[name] } ?? nil }
}
