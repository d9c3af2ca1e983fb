internal import LiveViewMirror

extension ListRow {
  /// One sentence for the developer of the app; `nil` if there is nothing to improve. A
  /// ``WasteReport`` has it for each list.
  var advice: String? {
    if recreated > 0 { return Advice.recreated }
    switch kind {
    case .byIndex: return Advice.unkeyed
    case .positional: return diffs > 0 && entries > 1 ? Advice.positional : nil
    case .keyed, .undecided:
      if unchanged > 0 { return Advice.unchangedEntries }
      return resent > 1 ? Advice.wholeList : nil
    case .stream: return nil
    }
  }
}
