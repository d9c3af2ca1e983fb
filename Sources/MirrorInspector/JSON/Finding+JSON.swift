internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

extension ViewState {
  /// The findings of the current epoch.
  var findingsJSON: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.version(version, of: id, epoch: epoch)
      json.array("diagnostics", findings) { json, finding in json.object { finding.write(to: &$0) } }
    }
    return json.bytes
  }

  /// The findings as lines for a terminal: a headline, then one line for each.
  var findingsText: String {
    let findings = findings
    let headline = "\(id) v\(version)  \(findings.count) finding\(findings.count == 1 ? "" : "s")"
    return ([headline] + findings.map(\.description)).map { $0 + "\n" }.joined()
  }
}

extension Finding {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("message", message)
    json.array("nodes", places) { json, place in
      json.object { json in
        json.member("node", place.node.number)
        json.member("path", place.path)
      }
    }
    json.member("first_version", firstVersion)
    json.member("last_version", lastVersion)
    json.member("count", count)
    json.write("is_current") { json in
      if let isCurrent { json.value(isCurrent) } else { json.null() }
    }
    json.member("explanation", explanation)
  }
}
