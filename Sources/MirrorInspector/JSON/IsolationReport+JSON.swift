internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

extension IsolationReport {
  /// The maximum number of evaluations that a change set lists. The count `evaluated` includes the
  /// evaluations that are not listed.
  static let listedEvaluations = 100

  /// The members of `isolation` in a change set, which ``ChangeRecord`` writes. If nothing changed,
  /// `whole` is 0, and `everybody` is still the number of subscribers.
  func write(to json: inout JSONWriter) {
    json.member("selective", selective.coalesced)
    json.member("filtered", filtered.coalesced)
    json.member("whole", whole.coalesced)
    json.member("everybody", everybody)
    json.object("uncoalesced") { json in
      json.member("selective", selective.uncoalesced)
      json.member("filtered", filtered.uncoalesced)
      json.member("whole", whole.uncoalesced)
    }
    json.object("views", views) { $1.write(to: &$0) }
  }
}

extension IsolationReport.Views {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("evaluated", evaluations.count)
    json.member("for_nothing", forNothing)
    evaluations.write(to: &json)
  }
}

extension [Evaluation] {
  /// The member `evaluations`.
  func write(to json: inout JSONWriter) {
    json.objects("evaluations", prefix(IsolationReport.listedEvaluations)) { json, evaluation in
      json.member("view", evaluation.view)
      json.member("node", evaluation.node.number)
      json.member("element", evaluation.element)
      json.member("type", evaluation.type)
      json.array("reasons", evaluation.reasons) { $0.value($1.description) }
      json.member("for_nothing", evaluation.isForNothing)
    }
  }
}

extension ChangeLog.IsolationTotals {
  /// `isolation` of a view's summary.
  var json: JSON {
    [
      "selective": .integer(selective), "filtered": .integer(filtered), "whole": .integer(whole),
      "diffs": .integer(diffs),
    ]
  }
}
