internal import MarkupDocument
internal import RenderedTree

/// The result of an update, ready to be committed.
struct PreparedUpdate {
  let asides: Asides?
  let unknownKeys: [UnknownKey]
  /// The update itself as JSON.
  let json: JSONText
  /// When the client received the update, in milliseconds since 1970; `nil` if the feed does not say so.
  let at: Int64?
  let changeSet: ChangeSet
  /// `nil` for a mount, whose changes have no particular cause.
  let causes: Attribution?
  let path: UpdatePath
  /// The input in the history from which the tree of this version can be rebuilt.
  let input: ViewState.Input
  let diagnostics: [MarkupDiagnostic]
  /// The differences that the verification of a scoped update found.
  let differences: [DocumentDiagnostic]
  let timings: ChangeRecord.Timings

  init(
    of diff: Diff, in message: WireMessage, changeSet: ChangeSet, causes: Attribution?, path: UpdatePath,
    input: ViewState.Input, diagnostics: [MarkupDiagnostic], differences: [DocumentDiagnostic] = [],
    timings: ChangeRecord.Timings
  ) {
    asides = Asides.of(diff)
    unknownKeys = diff.unknownKeys
    json = message.json
    at = message.wallTime
    self.changeSet = changeSet
    self.causes = causes
    self.path = path
    self.input = input
    self.diagnostics = diagnostics
    self.differences = differences
    self.timings = timings
  }
}

extension WireMessage {
  /// ``at`` as a time of day. A feed may count from another moment, such as the load of the page: a time before September 2001 is
  /// not a time of day.
  fileprivate var wallTime: Int64? {
    guard let at, at >= 1e12 else { return nil }
    return Int64(at)
  }
}
