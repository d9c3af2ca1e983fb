internal import MarkupDocument
internal import MirrorSupport
internal import MirrorViews
package import NodeObservation
internal import RenderedTree

/// Actions on a mirrored page. `POST /views/{view}/push` calls ``plan(_:of:)``, then
/// ``enter(_:in:)``, and ``didSend(_:)`` if a carrier has sent a push. Scenarios of
/// `liveview-mirror-attach` do the same.
extension LiveViews {
  /// The pushes that LiveView's client would send for an action on an element of a view. Nothing is
  /// sent here: a carrier does that.
  ///
  /// - Returns: the pushes in the order in which the client sends them. A binding with several
  ///   `JS.push` commands, or with a selector as its target, makes several, also to other views of
  ///   the page. There is no push if the element has no binding for the action but a control that
  ///   the mirror draws accepts it, see ``enter(_:in:)``.
  /// - Throws: ``ActionError`` if the action sends nothing, with the reason.
  /// - Complexity: O(*nodes of the page*).
  package func plan(_ action: NodeAction, of view: String) throws(ActionError) -> ActionPlan {
    let page = actionContext(around: view)
    guard let own = page.views.first(where: { $0.id == view }) else {
      throw ActionError("there is no view \"\(view)\"", at: "")
    }
    guard let content = own.document.content(of: action.node) else {
      throw ActionError("the document has no node \(action.node.number); GET /views/\(view)/tree lists the nodes")
    }
    // A text has no bindings, so the action is run on the element around it. An action on the root,
    // such as a key that is pressed outside of all elements, is run on the first element, so that
    // it reaches the window's bindings.
    var node = action.node
    if case .text = content { node = own.document.parent(of: node) ?? node }
    if node == own.document.root,
      let first = own.document.children(of: node).first(where: { own.document.content(of: $0)?.element != nil })
    {
      node = first
    }
    guard let element = ActingElement(node, in: own) else {
      throw ActionError("node \(action.node.number) is not an element")
    }
    let control = try control(for: action, on: element)
    var actions = ClientActions(on: page, control: control?.control)
    do throws(ActionError) { try actions.run(action, on: element) } catch {
      guard error.hasNoBinding, control != nil else { throw error }
    }
    return ActionPlan(pushes: actions.pushes, fields: actions.fields, input: control?.input)
  }

  /// The control of a native page that an action is for, with the input for it: the nearest control
  /// around the action's element. `nil` if there is none, if an element inside the control handles
  /// clicks, or if the control has no use for the input.
  private func control(
    for action: NodeAction, on element: ActingElement
  ) throws(ActionError) -> (input: ControlInput, control: ClientActions.Control)? {
    guard let input = action.input, let page = self[element.view.id]?.page,
      let node = page.control(around: input.node)
    else { return nil }
    let inner = element.climb.prefix { $0.node != node }
    if inner.contains(where: { $0.binding("click") != nil || $0.element["data-phx-link"] != nil }) { return nil }
    do throws(InputRefusal) {
      guard let change = try page.change(by: input) else { return nil }
      var control = ClientActions.Control(node: node)
      if let attribute = change.attribute, let value = change.value {
        let json: JSON =
          switch value {
          case .isOn(let isOn): .bool(isOn)
          case .choice(let value, _): .string(value)
          }
        control.value.set(attribute, to: json)
      }
      return (input, control)
    } catch {
      // The value may be meant for the event of a `phx-click`, and not for the control.
      if element.climb.contains(where: { $0.binding("click") != nil }), !element.isDisabledNatively { return nil }
      throw refusal(of: input, error)
    }
  }

  private func refusal(of input: ControlInput, _ reason: InputRefusal) -> ActionError {
    ActionError("the control at node \(input.node.number) \(reason)", at: input.value == nil ? "/node" : "/value")
  }

  /// Gives the input of an action to the control that the mirror draws, as a client does before it
  /// sends the event.
  ///
  /// - Returns: the views that were evaluated. They are also in the record of the next update.
  /// - Throws: ``ActionError`` if the control does not take the input.
  package func enter(_ plan: ActionPlan, in view: String) throws(ActionError) -> [Evaluation] {
    guard let input = plan.input, let page = self[view]?.page else { return [] }
    do throws(InputRefusal) {
      return try page.enter(input) ?? []
    } catch {
      throw refusal(of: input, error)
    }
  }

  /// Remembers the fields of an action that was sent. With a shared journal, waits until the
  /// journal has them.
  ///
  /// A form's fields count as used from their first change or submission on, and keep what was
  /// entered until the server changes them, as in a browser.
  package func didSend(_ plan: ActionPlan) {
    let ticket = journalTicket
    for (view, changes) in plan.fields { self[view]?.remember(changes, hiding: filter) }
    // Another mirror may plan the next action, from the fields in the journal.
    if isShared { try? settle(after: ticket) }
  }

  /// All views of the page load that the view belongs to; the view alone if it is fed without a
  /// page.
  private func actionContext(around view: String) -> ActionContext {
    let (url, siblings) = directory.withLock { directory -> (String?, [(String, ViewLife)]) in
      let life = directory.pages.life(of: view)
      guard let page = life.page.flatMap({ directory.pages[$0] }) else { return (life.url, [(view, life)]) }
      return (page.url, directory.pages.lives(of: page.views))
    }
    return ActionContext(
      views: siblings.compactMap { id, life in
        self[id]?.acting.map { state, fields in ActionContext.View(id, state, life, fields) }
      }, url: url)
  }
}

extension NodeAction {
  /// The input of the action for a native control; `nil` for an action that enters nothing.
  fileprivate var input: ControlInput? {
    guard kind == nil || kind == .click || kind == .change else { return nil }
    return ControlInput(at: node, value: (value["value"] ?? value["checked"]).map { $0.text ?? $0.encoded })
  }
}

extension LiveViewCoordinator {
  /// The current state, and the fields as a browser would remember them; `nil` before the first
  /// mount.
  var acting: (view: ViewState, fields: FieldMemory)? {
    state.withLock { state in state.view.map { ($0, state.fields) } }
  }

  /// Remembers the changes of an action, without the values of password fields and of secret names.
  func remember(_ changes: FieldMemory.Changes, hiding filter: ParameterFilter) {
    state.withLock { state in
      guard let view = state.view else { return }
      var (changes, filter) = (changes, filter)
      filter.fields = view.passwords.names
      changes.entered = changes.entered.filter { field, _ in
        guard let element = view.document.content(of: field)?.element, let name = element["name"] else { return false }
        return !filter.isSecret(name) && !view.passwords.isOverfull && element["type"]?.lowercased() != "password"
      }
      state.remember(changes)
      writeRow(of: &state, isWaitedFor: false)
    }
  }
}
