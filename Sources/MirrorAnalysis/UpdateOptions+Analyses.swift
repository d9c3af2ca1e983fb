package import LiveViewMirror

extension UpdateOptions {
  /// The same options, with the analyses of this module. Programs that show findings and waste need
  /// them.
  package var withAnalyses: UpdateOptions {
    var options = self
    options.projections = options.projections + [HiddenComponents.self, Findings.self, SlotTotals.self]
    return options
  }
}
