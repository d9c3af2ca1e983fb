internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

extension DiffExplanation {
  /// Writes the parts as a tree: the member `explanation` of `GET
  /// /views/{view}/log/{version}?explain=true`.
  ///
  /// The function recurses into the children. Their depth is bounded by ``Limits``.
  func write(to json: inout JSONWriter) {
    json.object { json in
      root.writeMembers(to: &json)
      if unmarkedWaste > 0 { json.member("unmarked_waste", unmarkedWaste) }
    }
  }
}

extension DiffExplanation.Part {
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("path", path)
    json.member("kind", kind.rawValue)
    json.member("summary", summary)
    json.member("bytes", bytes)
    json.member("value", value)
    json.array("changes", changes) { $0.value($1) }
    if moreChanges > 0 { json.member("more_changes", moreChanges) }
    json.array("nodes", nodes) { $0.value($1.number) }
    json.member("waste", isWaste)
    json.objects("children", children) { $1.writeMembers(to: &$0) }
    json.member("more", more)
  }
}
