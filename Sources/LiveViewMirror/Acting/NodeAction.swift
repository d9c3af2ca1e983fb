package import MarkupDocument
package import MirrorSupport

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
  /// All entries of the form in order, if a browser has read them. They replace the entries that
  /// the mirror would otherwise read from the document.
  package var entries: [FormEntry]?
  /// The button that submits the form.
  package var submitter: NodeRef?
  /// Whether a click or key has its default action, such as a submission. `false` if a browser has
  /// reported the action, because the browser also reports a change or submission that follows.
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
