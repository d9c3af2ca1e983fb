internal import LiveViewMirror
internal import MicroHTTP

extension Inspector {
  /// If mirrors share the journal, a response must not show less than an earlier one of another mirror. So everything that the
  /// request may read is read again from the journal.
  ///
  /// While the journal cannot be read, the response shows what this mirror has.
  ///
  /// A diff needs no reading: the journal refuses one that was applied to an older version, and then it is applied again.
  func catchUp(for request: HTTPRequest) {
    guard views.isShared else { return }
    let segments = request.segments
    switch segments.first {
    // Those of one view that do not depend on its page.
    case "views" where segments.count > 2 && segments[2] != "push":
      if segments[2] != "diffs" { try? views.catchUp(segments[1]) }
    case nil, "", "views", "pages", "frames", "metrics": views.catchUp()
    default: break
    }
  }
}
