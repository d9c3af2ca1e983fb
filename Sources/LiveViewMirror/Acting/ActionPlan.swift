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
