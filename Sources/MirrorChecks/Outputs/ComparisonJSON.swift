internal import MirrorSupport

/// A comparison as JSON. `compare --json` prints it.
package enum ComparisonJSON {
  /// The JSON text, with a line feed at its end.
  package static func text(_ comparison: Comparison) -> String {
    JSONWriter { json in
      json.member("before", comparison.before.name)
      json.member("after", comparison.after.name)
      json.objects("rows", comparison.rows) { write(&$0, $1) }
      json.array("unmatched", comparison.unmatched) { $0.value($1) }
      json.array("failures", comparison.failures) { $0.value($1) }
      guard let divergence = comparison.divergence else { return json.null("first_difference") }
      json.object("first_difference") { json in
        json.object("before") { write(&$0, divergence.before, divergence.beforeTree) }
        json.object("after") { write(&$0, divergence.after, divergence.afterTree) }
        json.member("event", divergence.cause?.event)
      }
    }.text.escapingUnseen + "\n"
  }

  private static func write(_ json: inout JSONWriter, _ row: Comparison.Row) {
    json.member("event", row.cause?.event)
    json.member("is_server_push", row.cause == .serverPush)
    json.object("before") { CheckJSON.write(&$0, row.before) }
    json.object("after") { CheckJSON.write(&$0, row.after) }
    json.object("difference") { json in
      for value in row.values {
        json.member(named: value.measure.rawValue) {
          $0.value(json: value.difference.map(CheckJSON.number) ?? "null")
        }
      }
    }
  }

  private static func write(_ json: inout JSONWriter, _ viewVersion: ViewVersion, _ tree: [String]) {
    CheckJSON.write(&json, viewVersion)
    json.array("tree", tree) { $0.value($1) }
  }
}
