internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument
internal import MirrorSupport

extension ViewState {
  /// The body of `GET /views/{view}/diagnostics`: the findings of the epoch.
  var findingsJSON: [UInt8] {
    JSONWriter { json in
      json.version(version, of: id, epoch: epoch)
      json.objects("diagnostics", findings) { $1.write(to: &$0) }
    }.bytes
  }

  /// The body for a client that prefers plain text: a headline, then one line for each finding.
  var findingsText: String {
    let findings = findings
    let headline = "\(id) v\(version)  \(Formatted.count(findings.count, "finding"))"
    return ([headline] + findings.map(\.description)).map { $0 + "\n" }.joined()
  }
}

extension Finding {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("message", message)
    json.objects("nodes", locatedNodes) { json, located in
      json.member("node", located.node.number)
      json.member("path", located.path)
    }
    json.member("first_version", firstVersion)
    json.member("last_version", lastVersion)
    json.member("count", count)
    json.member("is_current", json: isCurrent.map { $0 ? "true" : "false" })
    json.member("explanation", explanation)
  }
}
