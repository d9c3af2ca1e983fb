internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// Computes the pushes that LiveView's client 1.0 to 1.2 sends for an action of a person
/// (`live_socket`, `view` and `js` of LiveView's JavaScript).
///
/// `LiveViews.plan(_:of:)` makes a value for each action, runs the action, and takes the ``pushes``
/// and ``fields``. Nothing is sent and no view is changed meanwhile.
///
/// `phx-click-away` is an action of its own: whether a click elsewhere reaches an element depends
/// on its visibility, which only a browser knows. Commands that only change what a browser shows
/// are noted in ``skipped``.
struct ClientActions {
  let page: ActionContext
  private(set) var pushes: [ViewPush] = []
  /// The names of commands that only a browser runs, such as `toggle`.
  private(set) var skipped: [String] = []
  /// The changes of fields by the action, by the ids of their views.
  private(set) var fields: [String: FieldMemory.Changes] = [:]
  /// The work that the action may still do, in tests of an element by a selector, each about 0.1
  /// µs. A page can be hostile: `JS.exec` and `JS.dispatch` can name each other, and each command
  /// can search all elements of the page.
  private var budget = 10_000_000
  /// The number of bytes that the action may still send. It is limited because each event can
  /// repeat a long value of the page.
  private var room = mostBytes

  /// The control of a native page that the action is for.
  struct Control {
    let node: NodeRef
    /// The new value by the name of the attribute.
    var value = JSON.Members()
  }

  private let control: Control?

  init(on page: ActionContext, control: Control? = nil) {
    self.page = page
    self.control = control
  }

  /// Runs an action.
  ///
  /// - Throws: ``ActionError`` if the action sends nothing.
  mutating func run(_ action: NodeAction, on element: ActingElement) throws(ActionError) {
    switch action.kind ?? usualKind(of: element) {
    case .click: try click(element, action)
    case .clickAway: try exec("click-away", .clickAway, on: element, action)
    case .change: try change(element, action)
    case .submit: try submit(element, action)
    case .keydown: try press(.keydown, or: .windowKeydown, on: element, action)
    case .keyup: try press(.keyup, or: .windowKeyup, on: element, action)
    case .focus: try exec("focus", .focus, on: element, action)
    case .blur: try exec("blur", .blur, on: element, action)
    case .windowKeydown, .windowKeyup, .windowFocus, .windowBlur:
      try window(action.kind ?? .windowKeydown, on: element, action)
    }
    if pushes.isEmpty { throw nothing(element, action) }
  }

  private func usualKind(of element: ActingElement) -> NodeAction.Kind {
    if element.isHTML("form") { return .submit }
    return element.isField && !element.isCheckable && element.binding("click") == nil ? .change : .click
  }

  // MARK: - Results

  /// - Throws: if the action would send too many events, or too many bytes.
  mutating func add(_ push: ViewPush) throws(ActionError) {
    guard pushes.count < Self.mostPushes else {
      throw ActionError("the action would send more than \(Self.mostPushes) events")
    }
    room -= JSON.object(push.payload).encoded.utf8.count
    guard room >= 0 else { throw ActionError("the action would send more than \(Self.mostBytes >> 20) MiB") }
    pushes.append(push)
  }

  /// Records what the action changes in the fields of a form's view.
  private mutating func changeFields(of form: ActingElement, _ change: (inout FieldMemory.Changes) -> Void) {
    change(&fields[form.view.id, default: .init()])
  }

  /// Records that a command was left out, because only a browser can run it.
  mutating func skip(_ command: String) { if !skipped.contains(command) { skipped.append(command) } }

  /// The nesting depth of the running commands. It is limited because nested commands use the
  /// stack.
  private var depth = 0
  private static let mostNested = 50
  /// The maximum number of events of one action: a binding can name many elements many times.
  private static let mostPushes = 100
  /// The maximum size of all payloads of one action.
  private static let mostBytes = 4 << 20

  /// Begins a command, which may run others; ``endCommand()`` ends it. Each command costs a
  /// thousandth of the budget, so an action runs at most a thousand.
  mutating func beginCommand(of element: ActingElement) throws(ActionError) {
    depth += 1
    guard depth <= Self.mostNested else {
      throw ActionError("the labels or JS commands of \(element.name) run each other without an end")
    }
    try spend(10_000, on: element)
  }

  /// Ends the command of the last ``beginCommand(of:)``, also after an error.
  mutating func endCommand() { depth -= 1 }

  /// - Throws: if the action needs more work than an action may.
  mutating func spend(_ work: Int, on element: ActingElement) throws(ActionError) {
    budget -= work
    if budget < 0 {
      throw ActionError(
        "the labels or JS commands of \(element.name) need too much work: they run each other without an end, or search the page too often"
      )
    }
  }

  /// - Throws: if the budget does not suffice to read a form, which may have all elements and
  ///   strings of the document.
  mutating func spend(onReading form: ActingElement) throws(ActionError) { try spend(4 * form.view.work, on: form) }

  /// The reason why an action sends nothing.
  private func nothing(_ element: ActingElement, _ action: NodeAction) -> ActionError {
    if !skipped.isEmpty {
      return ActionError(
        withoutBinding:
          "the action on \(element.name) sends nothing: only a browser runs its commands (\(skipped.joined(separator: ", ")))"
      )
    }
    let kind = (action.kind ?? usualKind(of: element)).rawValue
    let bindings = element.element.attributes.map(\.name).filter { $0.hasPrefix("phx-") && !$0.hasPrefix("phx-value-") }
    let known = bindings.isEmpty ? "it has no binding" : "it has \(bindings.joined(separator: ", "))"
    return ActionError(
      withoutBinding: "\(element.name) sends nothing on \(kind), nor does an element around it: \(known)")
  }

  // MARK: - Clicks

  mutating func click(_ element: ActingElement, _ action: NodeAction) throws(ActionError) {
    if element.document.dialect == .native, let disabled = element.climb.first(where: \.isDisabledNatively) {
      throw ActionError("\(disabled.name) is disabled, so a client sends no click")
    }
    let controls = element.climb.lazy.filter { $0.isHTML("button", "input", "select", "textarea") }
    if let disabled = controls.first(where: \.isDisabled) {
      throw ActionError("\(disabled.name) is disabled, so a browser sends no click")
    }
    if let link = element.closest(with: "data-phx-link") { return try follow(link, action) }
    if let bound = element.closest(with: "phx-click"), let binding = bound.binding("click") {
      try exec(binding, .click, on: bound, data: .init(), action)
    }
    if action.hasDefault { try activate(element, action) }
  }

  /// The default action of a click (HTML, activation behaviour).
  private mutating func activate(_ element: ActingElement, _ action: NodeAction) throws(ActionError) {
    if element.document.dialect == .native { return try change(element, action) }
    for target in element.climb {
      if target.isHTML("label") { try spend(target.document.count, on: element) }
      if let control = target.labelled {
        // If the click was on or in the label's control, the label does not click it again.
        if element.climb.contains(where: { $0.node == control.node }) { return }
        try beginCommand(of: element)
        defer { endCommand() }
        var inner = action
        inner.node = control.node
        return try click(control, inner)
      }
      if target.isCheckable {
        guard target.form?.binding("change") != nil || target.binding("change") != nil else { return }
        var inner = action
        inner.value.set("checked", to: .bool(isChecked(target, after: action)))
        return try change(target, inner)
      }
      if target.isResetter {
        guard target.form?.binding("change") != nil else { return }
        return try change(target, NodeAction(on: target.node))
      }
      if target.isSubmitter {
        guard let form = target.form, form.binding("submit") != nil else { return }
        var inner = action
        inner.submitter = target.node
        return try submit(form, inner)
      }
      if target.isHTML("a", "button", "input", "select", "textarea", "summary") { return }
    }
  }

  /// Whether a check box or radio button is checked once it was clicked.
  private func isChecked(_ element: ActingElement, after action: NodeAction) -> Bool {
    action.value["checked"]?.bool ?? (element.inputType == "radio" || element.element["checked"] == nil)
  }

  /// `<.link patch>` and `<.link navigate>`. Their `phx-click` runs afterwards, if it is a list of
  /// commands.
  private mutating func follow(_ link: ActingElement, _ action: NodeAction) throws(ActionError) {
    guard let address = link.element["href"] else { throw ActionError("\(link.name) has no href to follow") }
    try open(
      address, isPatch: link.element["data-phx-link"] == "patch",
      replace: link.element["data-phx-link-state"] == "replace")
    if let binding = link.binding("click"), let commands = try commands(in: binding, of: link) {
      try run(commands, .click, on: link, data: .init(), action)
    }
  }

  mutating func open(_ address: String, isPatch: Bool, replace: Bool) throws(ActionError) {
    guard let main = page.main else { throw ActionError("the page has no main LiveView that could follow \(address)") }
    let url = PageURL.resolve(address, against: main.url ?? page.url)
    if url.hasScheme, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
      throw ActionError("only http and https addresses can be followed, not \"\(url.prefix(100))\"")
    }
    guard url.hasPrefix("http") else {
      throw ActionError(
        "the address of the page is not known, so \"\(address)\" cannot be resolved; announce it with ?url=")
    }
    let frame = isPatch ? "live_patch" : ViewPush.navigation
    var payload = JSON.Members()
    if isPatch {
      payload.set("url", to: .string(url))
    } else {
      payload.set("to", to: .string(url))
      payload.set("kind", to: replace ? "replace" : "push")
    }
    try add(
      ViewPush(
        view: main.id, frame: frame, payload: payload,
        event: ClientEvent(name: frame, type: nil, value: JSONText(JSON.object(payload).encoded), target: nil)))
  }

  // MARK: - Keys and focus

  private mutating func press(
    _ kind: NodeAction.Kind, or window: NodeAction.Kind, on element: ActingElement, _ action: NodeAction
  ) throws(ActionError) {
    guard action.value["key"]?.text != nil else {
      throw ActionError("\(kind.rawValue) needs the pressed key, such as {\"key\": \"Enter\"}", at: "/value/key")
    }
    let isSubmission = kind == .keydown && action.hasDefault && action.value["key"]?.text == "Enter"
    if element.binding(kind.rawValue) == nil {
      try self.window(window, on: element, action)
    } else if matchesKey(element, action) {
      try exec(kind.rawValue, kind, on: element, action)
    } else if !isSubmission {
      throw otherKey(element)
    }
    if isSubmission { try submitImplicitly(element, action) }
  }

  /// The Enter key in a field submits its form with the first button, or without one if the form
  /// has a single field (HTML, 4.10.22.2).
  private mutating func submitImplicitly(_ element: ActingElement, _ action: NodeAction) throws(ActionError) {
    guard element.inputType != nil, element.isField, let form = element.form, form.binding("submit") != nil else {
      return
    }
    var inner = action
    inner.value = action.value.without(["key"])
    if let button = form.controls.first(where: \.isSubmitter) {
      guard !button.isDisabled else { return }
    } else if form.controls.filter({ $0.inputType != nil && $0.isField && !$0.isCheckable }).count > 1 {
      return
    }
    try submit(element, inner)
  }

  /// Whether an element's `phx-key` is the pressed key, or absent.
  private func matchesKey(_ element: ActingElement, _ action: NodeAction) -> Bool {
    guard let expected = element.binding("key") else { return true }
    return expected.lowercased() == action.value["key"]?.text?.lowercased()
  }

  private func otherKey(_ element: ActingElement) -> ActionError {
    ActionError("\(element.name) accepts the key \"\(element.binding("key") ?? "")\" alone (phx-key)", at: "/value/key")
  }

  /// Runs `phx-window-…` of all elements of the page that have this binding.
  private mutating func window(
    _ kind: NodeAction.Kind, on element: ActingElement, _ action: NodeAction
  ) throws(ActionError) {
    let isKey = kind.type.hasPrefix("key")
    if isKey, action.value["key"]?.text == nil {
      throw ActionError("\(kind.rawValue) needs the pressed key, such as {\"key\": \"Enter\"}", at: "/value/key")
    }
    for view in page.views {
      try spend(view.document.count, on: element)
      for bound in ActingElement.all(with: "phx-\(kind.rawValue)", in: view) where !isKey || matchesKey(bound, action) {
        try exec(kind.rawValue, kind, on: bound, action)
      }
    }
  }

  // MARK: - Forms

  mutating func change(_ element: ActingElement, _ action: NodeAction) throws(ActionError) {
    if element.document.dialect == .native { return try changeControl(in: element.view, action) }
    guard let form = element.form else {
      throw ActionError("\(element.name) is in no form, so LiveView sends no change")
    }
    try spend(onReading: form)
    let field = try changed(element, of: form, action)
    guard
      let (binding, dispatcher) = field.binding("change").map({ ($0, field) })
        ?? form.binding("change").map({ ($0, form) })
    else { throw ActionError("neither \(field.name) nor \(form.name) has a phx-change") }
    var input = FormInput(of: form, isReset: field.isResetter)
    try input.enter(action, in: element.node == form.node ? nil : field)
    changeFields(of: form) { changes in
      // A change of a reset button resets its form, so no field of the form keeps its input.
      if field.isResetter { changes.reset.formUnion(input.controls.map(\.node)) }
      changes.used.insert(field.node)
      changes.entered.merge(input.newEntries) { $1 }
    }
    try exec(binding, .change, on: field, targetOf: dispatcher, action) { actions, push throws(ActionError) in
      try actions.pushChange(of: field, in: input, push)
    }
  }

  /// Runs the `phx-change` of ``control`` with its new value. Does nothing if one of the three is
  /// absent.
  private mutating func changeControl(in view: ActionContext.View, _ action: NodeAction) throws(ActionError) {
    guard let node = control?.node, let element = ActingElement(node, in: view),
      let binding = element.binding("change"),
      let value = control?.value, !value.all.isEmpty
    else { return }
    try exec(binding, .change, on: element, targetOf: element, action) { actions, push throws(ActionError) in
      try actions.pushValue(.object(value), of: element, push)
    }
  }

  /// The button that submits a form: the named one, the element itself, or, for a field, the first
  /// button of the form.
  private func submitter(
    of form: ActingElement, _ element: ActingElement, _ action: NodeAction
  ) throws(ActionError) -> ActingElement? {
    if let named = action.submitter {
      guard let button = ActingElement(named, in: form.view), button.isSubmitter, button.form?.node == form.node else {
        throw ActionError("node \(named.number) is not a button that submits \(form.name)", at: "/submitter")
      }
      return button
    }
    if element.isSubmitter { return element }
    guard element.node != form.node, let button = form.controls.first(where: \.isSubmitter) else { return nil }
    if button.isDisabled { throw ActionError("\(button.name), which submits \(form.name), is disabled") }
    return button
  }

  /// The field that changes: for a change of the form, the first one that the action names.
  private func changed(
    _ element: ActingElement, of form: ActingElement, _ action: NodeAction
  ) throws(ActionError) -> ActingElement {
    if element.node != form.node { return element }
    let names = (action.entries ?? []).map(\.name) + action.value.all.map(\.name)
    let fields = form.controls.filter(\.isField).compactMap { field in field.element["name"].map { ($0, field) } }
    let byName = Dictionary(fields) { first, _ in first }
    if let field = names.lazy.compactMap({ byName[$0] }).first { return field }
    throw ActionError(
      "a change of \(form.name) must name the field that changes, such as {\"value\": {\"user[name]\": \"Ada\"}}; or name the field's node",
      at: "/value")
  }

  mutating func submit(_ element: ActingElement, _ action: NodeAction) throws(ActionError) {
    guard let form = element.form else { throw ActionError("\(element.name) is in no form") }
    guard let binding = form.binding("submit") else { throw ActionError("\(form.name) has no phx-submit") }
    try spend(onReading: form)
    let submitter = try submitter(of: form, element, action)
    var input = FormInput(of: form)
    let field = element.node == form.node || element.isSubmitter ? nil : element
    try input.enter(action, in: field)
    changeFields(of: form) { changes in
      changes.used.formUnion(input.controls.map(\.node))
      changes.entered.merge(input.newEntries) { $1 }
    }
    try exec(binding, .submit, on: form, targetOf: form, action) { actions, push throws(ActionError) in
      try actions.pushSubmit(of: form, input, by: submitter, push)
    }
  }
}
