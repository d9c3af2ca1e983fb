internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport
internal import RenderedTree

/// The body of `POST /views/{view}/push`: an event, or an action on an element.
///
///     {"event": "inc", "value": {"by": 2}, "target": 3}
///     {"node": 9}
///     {"selector": "#user_name", "event": "change", "value": {"value": "Ada"}}
struct PushBody {
  private let body: JSONBody

  private static let longestName = 200
  /// The maximum number of bytes. An event of a client is small; files are not sent this way.
  private static let mostBytes = 1 << 20

  init(_ bytes: [UInt8]) throws(HTTPError) {
    guard bytes.count <= Self.mostBytes else {
      throw HTTPError(
        .contentTooLarge, "The body of a push must not be longer than \(Self.mostBytes) bytes; it has \(bytes.count).")
    }
    body = try JSONBody(
      bytes, of: ["event", "type", "value", "target", "node", "selector", "epoch", "entries", "submitter", "default"])
  }

  /// The pushes that the carrier is to send. There are none if the action only changes a control
  /// that the mirror draws.
  func plan(for view: ViewState, of views: LiveViews) throws(HTTPError) -> ActionPlan {
    guard let action = try action(on: view) else { return ActionPlan(of: try event(to: view.id)) }
    do throws(ActionError) {
      return try views.plan(action, of: view.id)
    } catch {
      throw JSONBody.wrong(error.pointer, error.reason)
    }
  }

  // MARK: - Events

  private func event(to view: String) throws(HTTPError) -> ViewPush {
    guard let name = try body.text("event", longest: Self.longestName), !name.isEmpty else {
      throw JSONBody.wrong(
        "/event",
        "event, node or selector is missing: the name of the event to send, such as inc, or the element to act on")
    }
    for member in ["epoch", "entries", "submitter", "default"] where body.json(member) != nil {
      throw JSONBody.wrong("/\(member)", "\(member) needs a node or a selector")
    }
    let value = body.json("value").flatMap { JSON(parsing: $0) } ?? [:]
    let type = try body.text("type", longest: Self.longestName) ?? (value.text == nil ? "click" : "form")
    let target = try body.number("target", of: "a component", from: 1)
    var payload = JSON.Members()
    payload.set("type", to: .string(type))
    payload.set("event", to: .string(name))
    payload.set("value", to: value)
    if let target { payload.set("cid", to: .integer(target)) }
    return ViewPush(
      view: view, frame: "event", payload: payload,
      event: ClientEvent(name: name, type: type, value: JSONText(value.encoded), target: target))
  }

  // MARK: - Actions

  /// - Returns: `nil` if the body names no element.
  private func action(on view: ViewState) throws(HTTPError) -> NodeAction? {
    guard let node = try node(of: view) else { return nil }
    if let epoch = try body.number("epoch", of: "the mount that the node belongs to", from: 1), epoch != view.epoch {
      throw JSONBody.wrong(
        "/epoch", "the node belongs to epoch \(epoch), but the view was mounted again and is in epoch \(view.epoch)")
    }
    var action = NodeAction(on: node)
    if let name = try body.text("event", longest: Self.longestName) {
      guard let kind = NodeAction.Kind(rawValue: name) else {
        let kinds = NodeAction.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw JSONBody.wrong("/event", "event must be what happens to the element: \(kinds)")
      }
      action.kind = kind
    }
    for member in ["type", "target"] where body.json(member) != nil {
      throw JSONBody.wrong(
        "/\(member)", "\(member) follows from the element's bindings; it belongs to an event without a node")
    }
    if let value = body.json("value"), value != "null" {
      guard let members = JSON(parsing: value)?.members else {
        throw JSONBody.wrong("/value", "value must be an object")
      }
      action.value = members
    }
    action.entries = try entries()
    action.submitter = try body.number("submitter", of: "a node", from: 1).map { ref($0, of: view) }
    action.hasDefault = try body.bool("default") ?? true
    return action
  }

  private func node(of view: ViewState) throws(HTTPError) -> NodeRef? {
    let number = try body.number("node", of: "a node", from: 1)
    guard let text = try body.text("selector", longest: Selector.longestText) else {
      return number.map { ref($0, of: view) }
    }
    if number != nil { throw JSONBody.wrong("/selector", "either node or selector must name the element") }
    guard let selector = Selector(text) else {
      throw JSONBody.wrong("/selector", "\"\(text)\" is not a CSS selector that the mirror knows")
    }
    guard let node = view.document.node(matching: selector) else {
      throw JSONBody.wrong("/selector", "\"\(text)\" matches no element of the document")
    }
    return node
  }

  private func ref(_ number: Int, of view: ViewState) -> NodeRef { NodeRef(epoch: view.document.epoch, number: number) }

  /// The member `entries`, the names and values of form fields: `[["user[name]", "Ada"], …]`.
  private func entries() throws(HTTPError) -> [FormEntry]? {
    guard let json = body.json("entries"), json != "null" else { return nil }
    let wrong = JSONBody.wrong("/entries", "entries must be a list of pairs: a name and a text")
    guard let pairs = JSON(parsing: json)?.elements else { throw wrong }
    var entries: [FormEntry] = []
    for pair in pairs {
      guard let pair = pair.elements, pair.count == 2, let name = pair[0].text, let value = pair[1].text else {
        throw wrong
      }
      entries.append(FormEntry(name, value))
    }
    return entries
  }
}
