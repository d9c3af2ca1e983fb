package import MirrorSupport
internal import MirrorViews
package import RenderedTree

/// What LiveView's client does for an action: it sends one frame, or it navigates to another
/// LiveView. A carrier of the page load carries it out.
package struct ViewPush: Sendable {
  /// The id of the view.
  package var view: String
  /// The name of the frame, `event` or `live_patch`. For a navigation it is `live_redirect`, and no
  /// frame is sent.
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

/// The pushes of an action, and the changes of the mirror's state that follow when they are sent.
/// `LiveViews.plan(_:of:)` makes a plan. Its caller sends the pushes in order, and then passes the
/// same plan to `LiveViews.didSend(_:)`, which makes these changes.
package struct ActionPlan: Sendable {
  package var pushes: [ViewPush]
  /// The changes of each view's ``FieldMemory``, by the id of the view: the fields that count as
  /// used when the pushes are sent, and the values that the action enters.
  var fields: [String: FieldMemory.Changes]
  /// The input for a control that the mirror draws; `nil` if there is no such control.
  var input: ControlInput?
}

extension ActionPlan {
  /// A plan of one push that belongs to no action on an element.
  package init(of push: ViewPush) { self.init(pushes: [push], fields: [:]) }
}
