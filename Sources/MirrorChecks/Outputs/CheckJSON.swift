internal import MarkupDocument
internal import MirrorSupport

/// Checks as JSON: `{"ok": false, "checks": [{"file": …, "all": …, "limits": […]}], "failures":
/// […], "warnings": […]}`.
///
/// `check --json` prints it.
package enum CheckJSON {
  /// With a line feed at the end.
  package static func text(_ report: CheckReport) -> String {
    JSONWriter { json in
      json.member("ok", report.isOK)
      json.objects("checks", report.checks) { write(&$0, $1) }
      json.array("failures", report.failures) { $0.value($1) }
      json.array("warnings", report.warnings) { $0.value($1) }
    }.text.escapingUnseen + "\n"
  }

  private static func write(_ json: inout JSONWriter, _ check: Check) {
    let measurement = check.measurement
    json.member("file", measurement.name)
    json.array("views", measurement.views) { $0.value($1) }
    json.object("all") { write(&$0, measurement.summary()) }
    json.objects("causes", measurement.scopesOfCauses) { json, measured in
      json.member("event", measured.cause.event)
      write(&json, measured.scope.summary)
    }
    json.objects("limits", check.results) { write(&$0, $1) }
  }

  static func write(_ json: inout JSONWriter, _ viewVersion: ViewVersion) {
    json.member("view", viewVersion.view)
    json.member("epoch", viewVersion.epoch)
    json.member("version", viewVersion.version)
  }

  static func write(_ json: inout JSONWriter, _ summary: DiffSummary) {
    json.member("mounts", summary.mounts)
    json.member("mount_bytes", summary.largestMount)
    json.member("diffs", summary.diffs)
    json.member("bytes", summary.bytes)
    json.member("largest_bytes", summary.largestBytes)
    json.member("nodes", summary.nodes)
    json.member("most_nodes", summary.mostNodes)
    json.member("wasted_bytes", summary.wastedBytes)
    json.member("waste", json: summary.waste.map(number))
    json.member("renders", summary.renders)
    json.member("idle_renders", summary.idleRenders)
    json.member("resent_lists", summary.resentLists)
    json.member("lost_identities", summary.lostIdentities)
    json.member("latencies", summary.latencies.count)
    for (name, percent) in [("latency_p50", 50), ("latency_p95", 95), ("latency_p99", 99)] {
      json.member(named: name) { $0.value(json: summary.latency(percentile: percent).map(number) ?? "null") }
    }
  }

  private static func write(_ json: inout JSONWriter, _ result: Check.Result) {
    json.member("rule", result.rule.rawValue)
    json.member("key", result.key)
    switch result.subject {
    case .all: break
    case .cause(let cause):
      json.member("event", cause.event)
      json.member("is_server_push", cause == .serverPush)
    case .module(let name): json.member("view", name)
    case .page(let pattern): json.member("page", pattern)
    }
    json.member("limit", json: number(result.limit))
    json.member("measured", json: result.measured.map(number))
    json.member("ok", result.violation == nil)
    if case .file(let name, let line) = result.origin { json.object("origin") { write(&$0, name, line) } }
    guard let violation = result.violation else { return }
    json.object("violation") { json in
      if let viewVersion = violation.viewVersion {
        write(&json, viewVersion)
        json.member("event", violation.cause?.event)
      }
      json.member("more_diffs", violation.others)
      json.array("details", violation.details) { $0.value($1) }
      json.member("more_details", violation.more)
      if let source = violation.source { json.object("source") { write(&$0, source.file, source.line) } }
      json.member("advice", violation.advice)
    }
  }

  private static func write(_ json: inout JSONWriter, _ file: String, _ line: Int) {
    json.member("file", file)
    json.member("line", line)
  }

  /// A number with at most six digits after the point.
  static func number(_ value: Double) -> String {
    let rounded = (value * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() && rounded.magnitude < 1e15 ? String(Int64(rounded)) : String(rounded)
  }
}
