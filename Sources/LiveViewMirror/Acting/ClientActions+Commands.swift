internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// A push of a binding or a `JS.push`, before its payload is made. A binding makes one for each
/// element that its target names.
struct PushRequest {
  enum Context {
    case component(Int)
    case element(ActingElement)
  }

  /// The view that handles the event.
  var view: ActionContext.View
  /// The component or element that the target names; without a target, the element whose
  /// `phx-target` was considered.
  var context: Context
  var event: String
  /// `value` and `target` of `JS.push`.
  var value: JSON.Members
  var target: JSON?

  /// The component that handles the event; `nil` for the view.
  ///
  /// - Parameter element: the element whose `phx-target` counts, if the command has no target: the
  ///   element of the binding, or its form.
  func component(for element: ActingElement) -> Int? {
    if case .component(let component) = context { return component }
    if let component = target.flatMap(Self.component) { return component }
    let named = element.element["phx-target"]
    if target == nil, let component = named.flatMap(Self.component(in:)) { return component }
    guard target != nil || named != nil, case .element(let element) = context else { return nil }
    return element.component
  }

  static func component(_ target: JSON) -> Int? { target.integer ?? target.text.flatMap(component(in:)) }

  private static func component(in text: String) -> Int? {
    guard let number = Int(text), String(number) == text, number >= 0 else { return nil }
    return number
  }
}

/// Bindings: the name of an event, or a list of commands. The actions of `ClientActions.swift` run
/// them.
///
/// Commands can run other bindings. Each command is between `beginCommand(of:)` and `endCommand()`,
/// which bound the depth and the work.
extension ClientActions {
  /// Makes the payload of a push and adds the push to ``pushes``. A click, a change and a
  /// submission have different payloads, so each passes its own function.
  typealias Sender = (inout ClientActions, PushRequest) throws(ActionError) -> Void

  /// Runs the binding `phx-NAME` of an element.
  mutating func exec(
    _ name: String, _ kind: NodeAction.Kind, on element: ActingElement, _ action: NodeAction
  ) throws(ActionError) {
    guard let binding = element.binding(name) else { throw ActionError("\(element.name) has no phx-\(name)") }
    var data = JSON.Members()
    if let key = action.value["key"] { data.set("key", to: key) }
    try exec(binding, kind, on: element, data: data, action)
  }

  /// - Parameter data: what the browser's event adds, such as the pressed key.
  mutating func exec(
    _ binding: String, _ kind: NodeAction.Kind, on element: ActingElement, data: JSON.Members, _ action: NodeAction
  ) throws(ActionError) {
    if let commands = try commands(in: binding, of: element) {
      return try run(commands, kind, on: element, data: data, action)
    }
    var data = data
    try push(binding, from: element, targetOf: element, .init()) { actions, push throws(ActionError) in
      try actions.pushEvent(kind, of: element, data: &data, push, action)
    }
  }

  /// Runs the binding of a form or field.
  ///
  /// - Parameters:
  ///   - dispatcher: the element whose `phx-target` counts.
  ///   - send: makes the payload of each push.
  mutating func exec(
    _ binding: String, _ kind: NodeAction.Kind, on element: ActingElement, targetOf dispatcher: ActingElement,
    _ action: NodeAction, _ send: Sender
  ) throws(ActionError) {
    guard let commands = try commands(in: binding, of: element) else {
      return try push(binding, from: element, targetOf: dispatcher, .init(), send)
    }
    for command in commands {
      if command.name == "push" {
        try push(command.arguments["event"]?.text ?? "", from: element, targetOf: dispatcher, command.arguments, send)
      } else {
        var data = JSON.Members()
        try run(command, kind, on: element, data: &data, action)
      }
    }
  }

  /// Runs commands in order.
  ///
  /// - Parameter data: as for ``exec(_:_:on:data:_:)``. The commands share it, as in LiveView's
  ///   client.
  mutating func run(
    _ commands: [BrowserCommand], _ kind: NodeAction.Kind, on element: ActingElement, data: JSON.Members,
    _ action: NodeAction
  ) throws(ActionError) {
    var data = data
    for command in commands { try run(command, kind, on: element, data: &data, action) }
  }

  private mutating func run(
    _ command: BrowserCommand, _ kind: NodeAction.Kind, on element: ActingElement, data: inout JSON.Members,
    _ action: NodeAction
  ) throws(ActionError) {
    try beginCommand(of: element)
    defer { endCommand() }
    let arguments = command.arguments
    switch command.name {
    case "push":
      guard let event = arguments["event"]?.text else { return }
      try push(event, from: element, targetOf: element, arguments) { actions, push throws(ActionError) in
        try actions.pushEvent(kind, of: element, data: &data, push, action)
      }
    case "patch", "navigate":
      guard let address = arguments["href"]?.text else { return }
      try open(address, isPatch: command.name == "patch", replace: arguments["replace"]?.bool == true)
    case "exec":
      guard let attribute = arguments["attr"]?.text else { return }
      for target in try elements(of: command, from: element) {
        if let binding = target.element[attribute], let commands = try commands(in: binding, of: target) {
          try run(commands, kind, on: target, data: .init(), action)
        }
      }
    case "focus":
      // The focus of a browser moves to the first element.
      guard let target = try elements(of: command, from: element).first, target.binding("focus") != nil else {
        return skip("focus")
      }
      try exec("focus", .focus, on: target, NodeAction(on: target.node))
    case "dispatch": try dispatch(command, from: element, action)
    default: skip(command.name)
    }
  }

  /// Runs `JS.dispatch` for the events that LiveView's own listeners handle. Other events reach
  /// only the app's scripts.
  private mutating func dispatch(
    _ command: BrowserCommand, from element: ActingElement, _ action: NodeAction
  ) throws(ActionError) {
    let event = command.arguments["event"]?.text ?? ""
    for target in try elements(of: command, from: element) {
      try beginCommand(of: element)
      defer { endCommand() }
      var inner = NodeAction(on: target.node)
      inner.hasDefault = action.hasDefault
      switch event {
      case "click": try click(target, inner)
      case "input", "change": try change(target, inner)
      case "submit" where target.isHTML("form"): try submit(target, inner)
      default: return skip("dispatch \(event)")
      }
    }
  }

  // MARK: - Elements

  /// The commands of a binding; `nil` for the name of an event.
  mutating func commands(in binding: String, of element: ActingElement) throws(ActionError) -> [BrowserCommand]? {
    try spend(binding.utf8.count, on: element)
    return BrowserCommand.all(in: binding)
  }

  /// The elements on which a command acts.
  private mutating func elements(
    of command: BrowserCommand, from element: ActingElement
  ) throws(ActionError) -> [ActingElement] {
    switch command.target {
    case .itself: return [element]
    case .all(let text): return try elements(matching: text, for: element)
    case .closest(let text):
      let selector = try selector(text, in: element.view, for: element)
      return element.document.closestNode(matching: selector, from: element.node)
        .flatMap { ActingElement($0, in: element.view) }.map { [$0] } ?? []
    case .inner(let text):
      let selector = try selector(text, in: element.view, for: element)
      return element.document.allNodes(matching: selector, inside: element.node)
        .compactMap { ActingElement($0, in: element.view) }
    }
  }

  /// The elements of all views of the page that a selector matches.
  private mutating func elements(
    matching text: String, for element: ActingElement
  ) throws(ActionError) -> [ActingElement] {
    var found: [ActingElement] = []
    for view in page.views {
      let selector = try selector(text, in: view, for: element)
      found += view.document.allNodes(matching: selector).compactMap { ActingElement($0, in: view) }
    }
    return found
  }

  /// Parses a selector, and charges a search of the view to the budget of the action.
  private mutating func selector(
    _ text: String, in view: ActionContext.View, for element: ActingElement
  ) throws(ActionError) -> Selector {
    guard let selector = Selector(text) else {
      throw ActionError("the selector \"\(text.prefix(100))\" of the page uses CSS that the mirror does not know")
    }
    try spend(view.work * selector.testCount, on: element)
    return selector
  }

  // MARK: - Pushing

  /// Sends an event to each element that `target` or `phx-target` names.
  ///
  /// - Parameters:
  ///   - dispatcher: the element whose `phx-target` counts.
  ///   - arguments: those of `JS.push`; none for the name of an event.
  ///   - send: makes the payload of each push.
  private mutating func push(
    _ event: String, from element: ActingElement, targetOf dispatcher: ActingElement, _ arguments: JSON.Members,
    _ send: Sender
  ) throws(ActionError) {
    let target = arguments["target"].flatMap { $0 == .null ? nil : $0 }
    let named = target ?? dispatcher.element["phx-target"].flatMap { $0.isEmpty ? nil : .string($0) }
    var request = PushRequest(
      view: dispatcher.view, context: .element(dispatcher), event: event, value: arguments["value"]?.members ?? .init(),
      target: target)
    guard let named else { return try send(&self, request) }
    if let component = PushRequest.component(named) {
      guard dispatcher.document.components.contains(component) else {
        throw ActionError("\(element.name) targets the component \(component), which is not in the document")
      }
      request.context = .component(component)
      return try send(&self, request)
    }
    let targets = try elements(matching: named.text ?? "", for: element)
    if targets.isEmpty {
      throw ActionError(
        "\(element.name) targets \"\(named.text?.prefix(100) ?? "")\", which matches no element of the page")
    }
    for target in targets {
      request.view = target.view
      request.context = .element(target)
      try send(&self, request)
    }
  }
}
