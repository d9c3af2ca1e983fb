/// `TextField`, `SecureField` and `TextEditor`: a read-only field with the current text. The field
/// takes no ``ControlInput``, so its text comes only from the server. ``ViewRegistry/native``
/// registers this view for each of these tags.
struct NativeField: PageView {
  enum Kind {
    case line, secret, editor

    /// The accessible name of a field without a label.
    var name: String {
      switch self {
      case .line, .editor: "Text"
      case .secret: "Secret text"
      }
    }
  }

  let kind: Kind
  @ObservedElement private var element
  @Attribute("text") private var text: String?
  @Attribute("value") private var value: String?
  @Attribute("prompt") private var prompt: String?
  @Attribute("placeholder") private var placeholder: String?
  @Disabled private var isDisabled: Bool
  @Attribute("axis") private var axis = Axis.horizontal

  private enum Axis: String, CaseIterable, AttributeDecodable { case horizontal, vertical }

  init(_ kind: Kind) { self.kind = kind }

  var body: some View {
    let text = text ?? value ?? ""
    let label = NativeControlLabel(Slot(children: element.children))
    let name = label.isDrawn ? nil : prompt ?? placeholder ?? kind.name
    NativeTag(.label, "control field", of: element) {
      label
      if kind == .editor || axis == .vertical && kind == .line {
        NativeTag(.textarea, "input", of: nil, attributes(name: name)) {
          // An HTML parser drops a line feed at the start of a `textarea`, so a first line feed is
          // written twice.
          Text(text.utf8.first == UInt8(ascii: "\n") ? "\n" + text : text)
        }
      } else {
        // Neither a secret nor its length is shown.
        NativeTag(
          .input, "input", of: nil, attributes(name: name, value: kind == .secret && !text.isEmpty ? "••••••••" : text))
      }
    }
  }

  private func attributes(name: String?, value: String? = nil) -> HTMLAttributes {
    HTMLAttributes(
      label: name, type: value.map { _ in kind == .secret ? "password" : "text" }, value: value,
      placeholder: prompt ?? placeholder,
      isDisabled: isDisabled, isReadOnly: true)
  }
}
