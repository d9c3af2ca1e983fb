internal import MarkupDocument

/// The properties that a form control has in a browser (HTML, 4.10 and 4.11). ``ClientActions`` and
/// ``FormInput`` read them.
///
/// The document alone determines all these properties. What a person has entered is in
/// ``FieldMemory``.
extension ActingElement {
  /// The type of an `input`, in lower case: `text` if the attribute is absent. `nil` for other
  /// elements.
  var inputType: String? { isHTML("input") ? element["type"]?.lowercased() ?? "text" : nil }

  /// Whether this is a check box or a radio button.
  var isCheckable: Bool { inputType == "checkbox" || inputType == "radio" }

  /// Whether a person can change the element's value.
  var isField: Bool {
    switch inputType {
    case nil: isHTML("select", "textarea")
    case "submit", "button", "reset", "image", "hidden": false
    default: true
    }
  }

  /// Whether a click submits the form.
  var isSubmitter: Bool {
    if isHTML("button") { return element["type"].map { $0.lowercased() == "submit" } ?? true }
    return inputType == "submit" || inputType == "image"
  }

  /// Whether a click resets the form.
  var isResetter: Bool { isHTML("button") ? element["type"]?.lowercased() == "reset" : inputType == "reset" }

  /// Whether this is an element that `form.elements` lists, and that `FormData` may read.
  var isControl: Bool {
    isHTML("button", "fieldset", "input", "object", "output", "select", "textarea") && inputType != "image"
  }

  /// Whether HTML lets `disabled` disable this element.
  var canBeDisabled: Bool {
    isHTML("button", "fieldset", "input", "select", "textarea", "optgroup", "option")
  }

  /// Whether this control has `disabled`, or is in a `fieldset` with `disabled`. The controls in
  /// the first `legend` of a `fieldset` stay enabled.
  var isDisabled: Bool { canBeDisabled && (element["disabled"] != nil || surroundings?.isDisabled == true) }

  /// Whether this element of LiveView Native has `disabled` with another value than `false`.
  var isDisabledNatively: Bool { element["disabled"].map { $0 != "false" } ?? false }

  /// Whether a `datalist` is around the control. A form does not send the values of controls in a
  /// `datalist`.
  var isInDatalist: Bool { surroundings?.isInDatalist == true }

  private var surroundings: FormControls.Surroundings? { view.controls.surroundings[node] }

  /// The form to which a control belongs; the form itself for a form.
  var form: ActingElement? {
    if isHTML("form") { return self }
    if let id = element["form"] {
      return document.node(withID: id).flatMap { ActingElement($0, in: view) }.flatMap { $0.isHTML("form") ? $0 : nil }
    }
    return climb.first { $0.isHTML("form") }
  }

  /// The control that a click on the `label` clicks.
  var labelled: ActingElement? {
    guard isHTML("label") else { return nil }
    if let id = element["for"] {
      return document.node(withID: id).flatMap { ActingElement($0, in: view) }.flatMap { $0.isLabelable ? $0 : nil }
    }
    return document.nodes(from: node).lazy.compactMap { ActingElement($0, in: view) }.first { $0.isLabelable }
  }

  /// Whether a `label` can be for this element (HTML, "labelable elements").
  private var isLabelable: Bool {
    isHTML("button", "meter", "output", "progress", "select", "textarea") || (inputType != nil && inputType != "hidden")
  }

  /// The controls of a form in document order.
  ///
  /// - Complexity: O(*controls*); O(*nodes*) once for each view.
  var controls: [ActingElement] { view.controls.controls[node, default: []].compactMap { ActingElement($0, in: view) } }

  /// The text inside the element.
  var text: String {
    document.nodes(from: node).reduce(into: "") { text, node in
      if case .text(let part)? = document.content(of: node) { text += part }
    }
  }

  /// The value that the element has in the document.
  var ownValue: String {
    switch inputType {
    case "checkbox", "radio": return element["value"] ?? "on"
    case "color": return element["value"] ?? "#000000"
    case "range": return element["value"] ?? "50"
    case "file": return ""
    case .some: return element["value"] ?? ""
    case nil: break
    }
    if isHTML("textarea", "output") { return text }
    if isHTML("select") { return selected.first ?? "" }
    return isHTML("option") ? optionValue : element["value"] ?? ""
  }

  /// The value of an `option`: without `value`, its text with single spaces.
  private var optionValue: String {
    element["value"] ?? text.split { " \t\n\u{0C}\r".contains($0) }.joined(separator: " ")
  }

  /// The options of a `select`.
  private var options: [ActingElement] {
    document.nodes(from: node).compactMap { ActingElement($0, in: view) }.filter { $0.isHTML("option") }
  }

  /// The values of the selected options of a `select` that are not disabled.
  var selected: [String] {
    let options = options
    let marked = options.filter { $0.element["selected"] != nil }
    if element["multiple"] != nil { return marked.filter { !$0.isDisabledOption }.map(\.optionValue) }
    let isList = element["size"].flatMap { Int($0) }.map { $0 > 1 } ?? false
    let chosen = marked.last ?? (isList ? nil : options.first { !$0.isDisabledOption })
    return chosen.flatMap { $0.isDisabledOption ? nil : [$0.optionValue] } ?? []
  }

  private var isDisabledOption: Bool { element["disabled"] != nil || surroundings?.isInDisabledGroup == true }
}
