package import LiveViewMirror

extension UpdateOptions {
  /// The same options, with the analyses of this module. `serve`, `replay` and `check` use these
  /// options. A view without the analyses has no findings, and its ``WasteReport`` has no slots.
  package var withAnalyses: UpdateOptions {
    var options = self
    options.projections = options.projections + [HiddenComponents.self, Findings.self, SlotTotals.self]
    return options
  }
}
