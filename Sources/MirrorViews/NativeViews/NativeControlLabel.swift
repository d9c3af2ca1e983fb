/// The label of a control: its title, and the content of its label slots. Without a title and
/// visible content, nothing is written. Views of controls write it, such as ``NativeToggle`` and
/// ``NativePicker``.
struct NativeControlLabel: PrimitiveView {
  private let title: String?
  private let slots: [Slot]

  init(title: String? = nil, _ slots: Slot?...) {
    self.title = title
    self.slots = slots.compactMap { $0 }.filter(\.isDrawn)
  }

  /// Whether a label is written.
  var isDrawn: Bool { title != nil || !slots.isEmpty }

  /// - Complexity: O(*children*).
  static func _expand(_ view: Self, into expansion: inout Expansion) {
    guard view.isDrawn else { return }
    expansion.element("span", ["class": "control-label"]) { expansion in
      if let title = view.title { expansion.write(text: title) }
      for slot in view.slots { Slot._expand(slot, into: &expansion) }
    }
  }
}

extension Slot {
  /// Whether the slot has an element, or a text that is not only white space. Comments and
  /// processing instructions are not drawn.
  var isDrawn: Bool {
    children.contains { child in
      switch child {
      case .element: true
      case .text(let text): text.contains { !$0.isWhitespace }
      case .comment, .processingInstruction: false
      }
    }
  }
}
