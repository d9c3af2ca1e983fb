package import MirrorSupport
internal import MirrorViews
package import RenderedTree

/// One frame that LiveView's client sends for an action, or a navigation. The carriers of the page
/// send it.
package struct ViewPush: Sendable {
  /// The id of the view.
  package var view: String
  /// The name of the frame: `event` or `live_patch`; or `live_redirect`, which is no frame: the
  /// client opens another LiveView.
  package var frame: String
  package var payload: JSON.Members
  /// The event in the payload. The change record of the answering diff names it as its cause.
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
  /// By the id of a view: the fields that count as used once the pushes are sent, and the entered
  /// values.
  var fields: [String: FieldMemory.Changes]
  /// The input for a control that the mirror draws; `nil` if there is no such control.
  var input: ControlInput?
}

extension ActionPlan {
  /// A plan of one push that belongs to no action on an element.
  package init(of push: ViewPush) { self.init(pushes: [push], fields: [:]) }
}
