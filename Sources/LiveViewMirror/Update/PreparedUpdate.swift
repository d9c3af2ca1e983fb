internal import MarkupDocument
internal import RenderedTree

/// The result of an update, ready to be committed.
struct PreparedUpdate {
  let asides: Asides?
  let unknownKeys: [UnknownKey]
  /// The update itself as JSON.
  let json: JSONText
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
    of diff: Diff, json: JSONText, changeSet: ChangeSet, causes: Attribution?, path: UpdatePath,
    input: ViewState.Input, diagnostics: [MarkupDiagnostic], differences: [DocumentDiagnostic] = [],
    timings: ChangeRecord.Timings
  ) {
    asides = Asides.of(diff)
    unknownKeys = diff.unknownKeys
    self.json = json
    self.changeSet = changeSet
    self.causes = causes
    self.path = path
    self.input = input
    self.diagnostics = diagnostics
    self.differences = differences
    self.timings = timings
  }
}
