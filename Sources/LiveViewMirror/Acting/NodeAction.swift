package import MarkupDocument
package import MirrorSupport
internal import MirrorViews
package import RenderedTree

/// An action of a person on an element of a mirrored page, such as a click. The body of
/// `POST /views/{view}/push` and the steps of a scenario name one; `LiveViews.plan(_:of:)` takes
/// it.
package struct NodeAction: Sendable {
  /// The kinds of actions. A `click` has its default action, as in a browser: on a button it
  /// submits the form, on a check box it changes the field.
  package enum Kind: String, Sendable, CaseIterable {
    case click
    case clickAway = "click-away"
    case change, submit, keydown, keyup, focus, blur
    case windowKeydown = "window-keydown"
    case windowKeyup = "window-keyup"
    case windowFocus = "window-focus"
    case windowBlur = "window-blur"

    /// The type in the event's frame.
    var type: String {
      switch self {
      case .click, .clickAway: "click"
      case .change, .submit: "form"
      case .keydown, .windowKeydown: "keydown"
      case .keyup, .windowKeyup: "keyup"
      case .focus, .windowFocus: "focus"
      case .blur, .windowBlur: "blur"
      }
    }
  }

  package var node: NodeRef
  /// `nil` for the usual action on the element: a form is submitted, a field without a click
  /// binding changes, everything else is clicked.
  package var kind: Kind?
  /// The input of the action: the pressed `key`; the new `value` of a field, or whether it is
  /// `checked`; for `change` and `submit` also the values of other fields by their names.
  package var value = JSON.Members()
  /// All entries of the form in order, if a browser has read them. They replace what the document
  /// says.
  package var entries: [FormEntry]?
  /// The button that submits the form.
  package var submitter: NodeRef?
  /// Whether a click has its default action. A browser reports a change or submission that follows
  /// from a click by itself.
  package var hasDefault = true

  package init(on node: NodeRef, _ kind: Kind? = nil) {
    self.node = node
    self.kind = kind
  }
}

/// A name and a value that a form sends.
package struct FormEntry: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One frame that LiveView's client sends for an action, or a navigation. The carriers of the page
/// send it.
package struct ViewPush: Sendable {
  /// The id of the view.
  package var view: String
  /// The name of the frame: `event` or `live_patch`; or `live_redirect`, which is no frame: the
  /// client opens another LiveView.
  package var frame: String
  package var payload: JSON.Members
  /// The event of the payload, by which the answer is recognised.
  package var event: ClientEvent

  package init(view: String, frame: String, payload: JSON.Members, event: ClientEvent) {
    (self.view, self.frame, self.payload, self.event) = (view, frame, payload, event)
  }

  /// The address to which the client navigates; `nil` if a frame is sent.
  package var destination: String? { frame == Self.navigation ? payload["to"]?.text : nil }

  static let navigation = "live_redirect"
}

/// The pushes of an action, and what changes once they are sent. `LiveViews.plan(_:of:)` makes it,
/// the caller sends the pushes in order, and passes the same plan to `LiveViews.didSend(_:)`.
package struct ActionPlan: Sendable {
  package var pushes: [ViewPush]
  /// The fields that count as used once it is sent, and the values that were entered, by views.
  var fields: [String: FieldMemory.Changes]
  /// The input for a control that the mirror draws; `nil` if there is no such control.
  var input: ControlInput?
}

extension ActionPlan {
  /// An event without an action on an element.
  package init(of push: ViewPush) { self.init(pushes: [push], fields: [:]) }
}

/// The reason why an action sends nothing. The response to `POST /views/{view}/push` shows it.
package struct ActionError: Error, Sendable, CustomStringConvertible {
  /// The problem, and what can be done.
  package var reason: String
  /// The member of the request that is wrong.
  package var pointer: String
  /// Whether the action is possible, but the document has no binding for it.
  var hasNoBinding = false

  package init(_ reason: String, at pointer: String = "/node") { (self.reason, self.pointer) = (reason, pointer) }

  /// An action without a binding.
  init(withoutBinding reason: String) {
    self.init(reason)
    hasNoBinding = true
  }

  package var description: String { reason }
}
