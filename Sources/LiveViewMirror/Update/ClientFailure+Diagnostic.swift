internal import MarkupDocument
internal import RenderedTree

extension DocumentDiagnostic {
  /// The diagnostic of an error with which LiveView's client stops. ``FullUpdate`` adds it to the
  /// record.
  init(_ failure: ClientFailure) {
    self.init(code: "client-throws", node: nil, message: failure.reason, subject: "")
  }
}

extension Diff {
  /// The error that a client throws before it patches the page; `nil` if it throws none. Scoped and
  /// full updates check this before they merge the diff.
  ///
  /// A server that sends moves without their mark is older than 1.2.8. If neither the page nor the
  /// server has named a version, the client is taken to be older, too, and does not throw.
  func failure(in versions: LiveViewVersions) -> ClientFailure? {
    hasUnmarkedMoves && versions.areKnown && versions.client.follows(.needsMovedMark) ? .unmarkedMove : nil
  }
}
