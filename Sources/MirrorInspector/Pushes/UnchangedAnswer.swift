internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport
internal import NodeObservation

/// The response to a push that has changed nothing: the view has no new version. ``PushRoutes``
/// makes it.
struct UnchangedAnswer {
  let view: ViewState
  /// The event that the server has answered without a diff; `nil` for a navigation.
  var cause: UpdateCause?
  /// The address that the carrier opens; `nil` unless the push is a navigation.
  var destination: String?
  /// The evaluations of bodies that the action has caused, by changing controls of the page.
  var evaluations: [Evaluation] = []

  func response(for request: HTTPRequest) -> HTTPResponse {
    request.form(of: [.json, .text]) == .text ? .text(text) : .json(json)
  }

  private var text: String {
    let address = destination.map { "; the carrier opens \($0.filter { !$0.isNewline })" } ?? ""
    let evaluated = evaluations.map { "  evaluated: \($0)\n" }.joined()
    return "\(view.id) v\(view.version)  nothing changed\(address)\n\(evaluated)"
  }

  private var json: [UInt8] {
    JSONWriter { json in
      json.version(view.version, of: view.id, epoch: view.epoch)
      json.array("changes", EmptyCollection<Int>()) { $0.value($1) }
      json.array("notified", EmptyCollection<Int>()) { $0.value($1) }
      json.member("observers", 0)
      if !evaluations.isEmpty { evaluations.write(to: &json) }
      cause.write(to: &json)
      if let destination { json.member("navigates_to", destination) }
    }.bytes
  }
}
