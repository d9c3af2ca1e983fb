internal import MarkupDocument
internal import NodeObservation

/// `Picker`: its label and its choices, with the selected choice marked. The values of the
/// attribute `tag` are not shown. ``ViewRegistry/native`` registers it.
///
/// A choice is a direct child of the picker with a `tag` attribute and without a `template`. Every
/// child is drawn by its own view, and each choice is in addition wrapped in an `option`.
struct NativePicker: PageView {
  @ObservedElement(observeChildren: true) private var element
  @ChangeTracked(attribute: "selection") private var selection: String?
  @Attribute("title") private var title: String?
  @Disabled private var isDisabled: Bool

  private struct Choice: Identifiable {
    let id: ElementID
    let child: ElementNode.ChildElement
    let tag: String
  }

  var body: some View {
    let slots = Slots(of: element, named: "label", "content", "currentValueLabel")
    let choices = choices
    NativeTag(.div, "control picker", of: element, HTMLAttributes(isDisabled: isDisabled)) {
      NativeControlLabel(title: title, slots["label"])
      if let label = slots["currentValueLabel"] { NativeTag(.output, "value") { label } }
      if !choices.isEmpty {
        NativeTag(.div, "choices", of: nil, HTMLAttributes(role: "listbox", label: title ?? "Choices")) {
          ForEach(choices) { choice in
            let isSelected = choice.tag == selection
            NativeTag(
              .div, "choice", of: nil, HTMLAttributes(role: "option", isSelected: isSelected, choice: choice.tag)
            ) { ElementView(choice.child) }
          }
        }
      }
      // A `listbox` may contain only options.
      if let content = slots["content"], content.isDrawn { NativeTag(.div, "choices") { content } }
      let others = others(than: choices, slots)
      if others.isDrawn { NativeTag(.div, "choices") { others } }
    }
    .controls(
      "selection", isDisabled: isDisabled,
      where: { input in input.isOnControl || choices.contains { $0.child.node == input.child } },
      decide: ControlInput.deciding(among: choices.map { ($0.child.node, $0.tag) })
    ) { if case .choice(let tag, _) = $0 { selection = tag } }
  }

  private var choices: [Choice] {
    element.childElements.compactMap { child in
      guard child["template"] == nil, let tag = child["tag"] else { return nil }
      return Choice(id: child.id, child: child, tag: tag)
    }
  }

  /// The children that are neither choices nor in one of the named slots.
  private func others(than choices: [Choice], _ slots: Slots) -> Slot {
    let chosen = Set(choices.map(\.child.node))
    var slot = slots.content
    slot.children.removeAll { child in
      if case .element(let node) = child { chosen.contains(node) } else { false }
    }
    return slot
  }
}

/// `DatePicker` and `ColorPicker`: a label, and the selected value as text. ``ViewRegistry/native``
/// registers this view for both tags.
struct NativeValuePicker: PageView {
  let name: String
  @ObservedElement(observeChildren: true) private var element
  @Attribute("selection") private var selection: String?
  @Attribute("title") private var title: String?
  @Disabled private var isDisabled: Bool

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
  /// The current value of an attribute. The read is not tracked, so a view that uses it must
  /// observe the children of its element.
  subscript(name: String) -> String? { source.reading { $0.content(of: node)?.element?[name] } ?? nil }
}
