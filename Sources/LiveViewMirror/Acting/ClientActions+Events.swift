internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The payloads of the `event` frame, for bindings that ``ClientActions`` runs.
///
/// The payloads have the values as entered, with secrets, because the server must receive them. The
/// mirror removes secrets from the event that it keeps.
extension ClientActions {
  /// `{"type", "event", "value", "cid"}` for clicks, keys and focus.
  ///
  /// - Parameter value: the data of the browser's event, such as the pressed key. This method adds
  ///   the values of the element and of the push. In LiveView's client all `JS.push` of one binding
  ///   share this object, so a later push also sends the values of the earlier ones.
  mutating func pushEvent(
    _ kind: NodeAction.Kind, of element: ActingElement, data value: inout JSON.Members, _ push: PushRequest,
    _ action: NodeAction
  ) throws(ActionError) {
    value.merge(element.phxValues)
    if let own = element.eventValue(checked: action.value["checked"]?.bool, isClick: kind == .click) {
      value.set("value", to: own)
    }
    value.merge(push.value)
    value.merge(action.value.without(["key", "checked"]))
    try send(push, type: kind.type, value: .object(value), component: push.component(for: element))
  }

  /// `{"type": "click", "event", "value": {ATTRIBUTE: VALUE}, "cid"}` for a native control, as
  /// `ChangeTracked` of LiveView Native 0.3 sends it.
  mutating func pushValue(_ value: JSON, of control: ActingElement, _ push: PushRequest) throws(ActionError) {
    try send(push, type: "click", value: value, component: push.component(for: control))
  }

  /// `{"type": "form", "event", "value", "meta": {"_target"}, "uploads", "cid"}` for a field.
  mutating func pushChange(of field: ActingElement, in input: FormInput, _ push: PushRequest) throws(ActionError) {
    try spend(onReading: input.form)
    let name = field.element["name"] ?? ""
    var meta = JSON.Members()
    meta.set("_target", to: .string(name.isEmpty ? "undefined" : name))
    meta.merge(input.form.phxValues)
    meta.merge(push.value)
    let form = input.encoded(
      submitter: field.isHTML("button") ? field : nil, only: field.binding("change") == nil ? nil : name,
      used: used(in: input.form.view))
    try send(
      push, type: "form", value: .string(form), component: push.component(for: input.form),
      others: [("meta", .object(meta)), ("uploads", [:])])
  }

  /// `{"type": "form", "event", "value", "meta", "cid"}` for a form.
  mutating func pushSubmit(
    of form: ActingElement, _ input: FormInput, by submitter: ActingElement?, _ push: PushRequest
  ) throws(ActionError) {
    try spend(onReading: form)
    var meta = form.phxValues
    meta.merge(push.value)
    var request = push
    // For a submission, LiveView's client ignores the `target` of `JS.push`.
    request.target = nil
    try send(
      push, type: "form", value: .string(input.encoded(submitter: submitter, only: nil, used: used(in: form.view))),
      component: request.component(for: form), others: [("meta", .object(meta))])
  }

  private func used(in view: ActionContext.View) -> Set<NodeRef> {
    let changes = fields[view.id]
    return view.fields.used.subtracting(changes?.reset ?? []).union(changes?.used ?? [])
  }

  /// - Parameter others: the members of the payload between `value` and `cid`.
  private mutating func send(
    _ push: PushRequest, type: String, value: JSON, component: Int?, others: [(String, JSON)] = []
  ) throws(ActionError) {
    var payload = JSON.Members()
    payload.set("type", to: .string(type))
    payload.set("event", to: .string(push.event))
    payload.set("value", to: value)
    for (name, value) in others { payload.set(name, to: value) }
    if let component { payload.set("cid", to: .integer(component)) }
    try add(
      ViewPush(
        view: push.view.id, frame: "event", payload: payload,
        event: ClientEvent(name: push.event, type: type, value: JSONText(value.encoded), target: component)))
  }
}

extension ActingElement {
  /// The attributes `phx-value-NAME`.
  var phxValues: JSON.Members {
    var values = JSON.Members()
    let prefix = "phx-value-"
    for attribute in element.attributes where attribute.name.hasPrefix(prefix) {
      values.set(String(attribute.name.dropFirst(prefix.count)), to: .string(attribute.value))
    }
    return values
  }

  /// The property `value` of the element in a browser; `nil` for an element without this property,
  /// and for a check box or radio button that is not checked.
  ///
  /// - Parameters:
  ///   - checked: whether a check box is checked; `nil` to read it from the document.
  ///   - isClick: whether a person clicks the element, which checks or unchecks it before the
  ///     event.
  func eventValue(checked: Bool?, isClick: Bool) -> JSON? {
    if isCheckable {
      let isMarked = element["checked"] != nil
      let isChecked = checked ?? (isClick ? inputType == "radio" || !isMarked : isMarked)
      return isChecked ? .string(ownValue) : nil
    }
    if isHTML("button", "input", "select", "textarea", "option", "output", "data", "param") { return .string(ownValue) }
    if isHTML("li") { return .integer(element["value"].flatMap { Int($0) } ?? 0) }
    if isHTML("meter", "progress") {
      return .json(element["value"].flatMap { Double($0) }.flatMap { $0.isFinite ? Self.numberText($0) : nil } ?? "0")
    }
    return nil
  }

  private static func numberText(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
