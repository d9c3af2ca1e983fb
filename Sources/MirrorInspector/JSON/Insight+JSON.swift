internal import LiveViewMirror
internal import MirrorAnalysis
internal import MirrorSupport

extension ViewState {
  /// The body of `GET /views/{view}/insights`.
  var insightsJSON: [UInt8] {
    JSONWriter { json in
      json.version(version, of: id, epoch: epoch)
      json.objects("insights", insights) { json, insight in
        json.member("code", insight.code)
        json.member("message", insight.message)
        json.member("advice", insight.advice)
        json.member("saves_bytes", insight.savesBytes)
        json.member("share", json: "\((insight.share * 1_000).rounded() / 1_000)")
        insight.source.write(to: &json)
        json.array("versions", insight.versions) { $0.value($1) }
      }
    }.bytes
  }

  /// The insights as lines for a terminal: a headline, then one line for each insight, and a second
  /// line for its advice if it has one. This is the text response of the same route.
  var insightsText: String {
    let insights = insights
    let saved = insights.reduce(0) { $0 + $1.savesBytes }
    let headline =
      "\(id) v\(version)  \(Formatted.count(insights.count, "insight")), \(Formatted.bytes(saved)) could be saved"
    return ([headline] + insights.map(\.text)).map { $0 + "\n" }.joined()
  }
}

extension Insight {
  fileprivate var text: String {
    let diffs = versions.isEmpty ? "" : "  (\(Insight.text(ofVersions: versions)))"
    let advice = advice.map { "\n  \($0)" } ?? ""
    return "! \(Terminal.line(code))  \(Formatted.bytes(savesBytes))  \(Terminal.line(message))\(diffs)\(advice)"
  }
}
