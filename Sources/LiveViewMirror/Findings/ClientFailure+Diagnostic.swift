internal import MarkupDocument
internal import RenderedTree

extension DocumentDiagnostic {
  /// An error with which LiveView's client stops.
  init(_ failure: ClientFailure) {
    self.init(code: "client-throws", node: nil, message: failure.reason, subject: "")
  }
}

extension Diff {
  /// The errors that a client throws before it patches the page.
  func faults(in client: ClientVersion) -> [DocumentDiagnostic] {
    hasUnmarkedMoves && client.follows(.needsMovedMark) ? [DocumentDiagnostic(.unmarkedMove)] : []
  }
}
