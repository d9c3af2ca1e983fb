internal import MarkupDocument
internal import RenderedTree

extension DocumentDiagnostic {
  /// An error with which LiveView's client stops.
  init(_ failure: ClientFailure) {
    self.init(code: "client-throws", node: nil, message: failure.reason, subject: "")
  }
}

extension Diff {
  /// The error that a client throws before it patches the page; `nil` if it throws none. A server
  /// that sends moves without their mark is older than 1.2.8, so a client whose version nobody has
  /// named is then taken to be older, too.
  func failure(in versions: LiveViewVersions) -> ClientFailure? {
    hasUnmarkedMoves && versions.areKnown && versions.client.follows(.needsMovedMark) ? .unmarkedMove : nil
  }
}
