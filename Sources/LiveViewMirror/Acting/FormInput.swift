internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The entries that a form sends: the values of the document, and what a person has entered.
///
/// ``ClientActions`` makes one for each change or submission and enters the action's values once,
/// before it reads any entry. For a control, the value of this action counts first, then the one in
/// ``FieldMemory``, then the one in the document.
struct FormInput {
  let form: ActingElement
  /// `form.elements`, in document order.
  let controls: [ActingElement]
  /// All entries, if the action states them; `nil` to compute them from the controls.
  private var entries: [FormEntry]?
  /// The values that the action enters into the field on which it acts, by the field's node: a
  /// text, a list of texts, or whether the field is checked.
  private var entered: [NodeRef: JSON] = [:]
  /// The values that the action enters into fields which it names, by these names.
  private var enteredByName: [String: JSON] = [:]
  /// The names of the radio buttons that this action checks.
  private var checkedGroups: Set<String> = []
  private let controlsByName: [String: [ActingElement]]
  /// The names of the fields that a person can change.
  private let visibleNames: Set<String>
  /// The values that earlier actions have entered; `nil` if the form was reset.
  private let memory: FieldMemory?

  /// - Parameter isReset: whether the form was reset, so that earlier input no longer counts.
  init(of form: ActingElement, isReset: Bool = false) {
    self.form = form
    memory = isReset ? nil : form.view.fields
    controls = form.controls
    controlsByName = Dictionary(grouping: controls) { $0.element["name"] ?? "" }
    visibleNames = Set(controls.lazy.filter(\.isField).map { $0.element["name"] ?? "" })
  }

  // MARK: - Entering

  /// Enters the values of an action.
  ///
  /// - Parameter field: the field that `value` and `checked` are about; `nil` for an action on the
  ///   form.
  mutating func enter(_ action: NodeAction, in field: ActingElement?) throws(ActionError) {
    entries = action.entries
    for member in action.value.all {
      let pointer = SlotPath([.key("value"), .key(member.name)]).pointer
      if let field, member.name == "value" || member.name == "checked" {
        try check(member.value, for: field, at: pointer)
        entered[field.node] = member.value
        if field.inputType == "radio", member.value == .bool(true), let name = field.element["name"] {
          checkedGroups.insert(name)
        }
        continue
      }
      guard let named = controlsByName[member.name]?.first else { throw unknownField(member.name, at: pointer) }
      try check(member.value, for: named, at: pointer)
      enteredByName[member.name] = member.value
    }
  }

  private func check(_ value: JSON, for field: ActingElement, at pointer: String) throws(ActionError) {
    switch value {
    case .string: return
    case .bool where field.isCheckable || enteredTogether(field).contains(where: \.isCheckable): return
    case .array(let values) where values.allSatisfy({ $0.text != nil }): return
    default:
      throw ActionError(
        "the value of a field must be a text, a list of texts, or, for a check box, true or false", at: pointer)
    }
  }

  private func unknownField(_ name: String, at pointer: String) -> ActionError {
    var names: [String] = []
    for control in controls where names.count < 20 {
      if let name = control.element["name"], !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    let known = names.isEmpty ? "it has no named fields" : "it has " + names.joined(separator: ", ")
    return ActionError("\(form.name) has no field called \"\(name)\": \(known)", at: pointer)
  }

  private func enteredTogether(_ field: ActingElement) -> [ActingElement] {
    controlsByName[field.element["name"] ?? ""] ?? []
  }

  // MARK: - Entries

  /// The entries in document order, as `new FormData(form)` has them (HTML, 4.10.22.4), with the
  /// entry of the submitter. Files are left out.
  func entries(submitter: ActingElement?) -> [FormEntry] {
    if let entries { return entries }
    return controls.flatMap { control in
      values(of: control, submitter: submitter).map { FormEntry(control.element["name"] ?? "", $0) }
    }
  }

  private func values(of control: ActingElement, submitter: ActingElement?) -> [String] {
    guard control.element["name"]?.isEmpty == false, !control.isDisabled, !control.isInDatalist else { return [] }
    if control.node == submitter?.node { return [control.ownValue] }
    if hasNoEntry(control) { return [] }
    switch control.inputType {
    case "submit", "button", "reset", "file": return []
    case "checkbox", "radio": return isChecked(control) ? [control.ownValue] : []
    default:
      if control.isHTML("select") { return texts(entered(for: control)) ?? control.selected }
      return texts(entered(for: control)) ?? [control.ownValue]
    }
  }

  /// Whether a form sends no value of this element, unless it is the submitter.
  private func hasNoEntry(_ control: ActingElement) -> Bool { control.isHTML("button", "fieldset", "object", "output") }

  /// The value that a person has entered into a control; `nil` if none. If a hidden and a visible
  /// field share a name, as in Phoenix's check boxes, a value that was entered by name belongs to
  /// the visible field.
  private func entered(for control: ActingElement) -> JSON? {
    if let value = entered[control.node] { return value }
    return valueByName(of: control) ?? memory?.value(of: control)
  }

  private func valueByName(of control: ActingElement) -> JSON? {
    guard let name = control.element["name"], let value = enteredByName[name], !hasNoEntry(control) else { return nil }
    return control.inputType == "hidden" && visibleNames.contains(name) ? nil : value
  }

  /// The values that this action has entered, for the view's ``FieldMemory``. If the action checks
  /// a radio button, the others of its group get the value `false`.
  var newEntries: [NodeRef: FieldMemory.Entry] {
    guard entries == nil else { return [:] }
    var new: [NodeRef: FieldMemory.Entry] = [:]
    for control in controls {
      guard let value = entered[control.node] ?? valueByName(of: control) ?? uncheckedByGroup(control) else { continue }
      new[control.node] = FieldMemory.Entry(value: value, original: control.state)
    }
    return new
  }

  private func uncheckedByGroup(_ control: ActingElement) -> JSON? {
    guard control.inputType == "radio", let name = control.element["name"] else { return nil }
    return checkedGroups.contains(name) ? .bool(false) : nil
  }

  private func texts(_ value: JSON?) -> [String]? {
    switch value {
    case .string(let text): [text]
    case .array(let values): values.compactMap(\.text)
    default: nil
    }
  }

  /// Whether a check box or radio button is checked. Checking a radio button unchecks the others of
  /// its group.
  private func isChecked(_ control: ActingElement) -> Bool {
    switch entered[control.node] ?? uncheckedByGroup(control) ?? entered(for: control) {
    case .bool(let isChecked): return isChecked
    case let value?: return texts(value)?.contains(control.ownValue) ?? false
    case nil: break
    }
    return control.element["checked"] != nil
  }

  // MARK: - The frame

  /// The encoded form that LiveView's client sends. An entry is preceded by a second one, with
  /// `_unused_` before the last part of its name, if no field with the entry's name was used. No
  /// second entry is sent for hidden fields and the submitter, nor, since LiveView 1.2, for fields
  /// with `phx-no-unused-field`.
  ///
  /// - Parameters:
  ///   - only: the only name to send, for a field with a `phx-change` of its own.
  ///   - used: the fields that a person has changed or submitted.
  func encoded(submitter: ActingElement?, only: String?, used: Set<NodeRef>) -> String {
    let canOptOut = form.view.client.follows(.hasUnusedFieldOptOut)
    var isUsed: [String: Bool] = [:]
    var isHidden: [String: Bool] = [:]
    for control in controls {
      guard let name = control.element["name"], !name.isEmpty else { continue }
      let skips = canOptOut && control.element["phx-no-unused-field"] != nil
      isUsed[name] = isUsed[name, default: false] || skips || used.contains(control.node)
      isHidden[name] = isHidden[name, default: true] && control.inputType == "hidden"
    }
    let namesUnused = !(canOptOut && form.element["phx-no-unused-field"] != nil)
    var parts: [String] = []
    for entry in entries(submitter: submitter) where only == nil || entry.name == only {
      let isUnused = isUsed[entry.name] == false && isHidden[entry.name] == false
      if namesUnused, isUnused, submitter?.element["name"] != entry.name {
        parts.append(FormEncoding.encoded(FormEncoding.unused(entry.name)) + "=")
      }
      parts.append(FormEncoding.encoded(entry.name) + "=" + FormEncoding.encoded(entry.value))
    }
    return parts.joined(separator: "&")
  }
}
