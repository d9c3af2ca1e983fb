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
  /// Servers since LiveView 1.2.8 mark a comprehension that has moved entries, and clients since
  /// 1.2.8 throw if the mark is missing. A server that sends moves without the mark is older. If
  /// neither the page nor the server has named a version, the client is assumed to be as old as the
  /// server, and does not throw.
  func failure(in versions: LiveViewVersions) -> ClientFailure? {
    hasUnmarkedMoves && versions.areKnown && versions.client.follows(.needsMovedMark) ? .unmarkedMove : nil
  }
}
