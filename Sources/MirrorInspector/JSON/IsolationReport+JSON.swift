internal import LiveViewMirror
internal import NodeObservation

extension IsolationReport {
  /// How many evaluations one change set lists; the counts beside them count all.
  static let listedEvaluations = 100

  /// `isolation` of the HTTP contract. `whole` is 0 where nothing changed; `everybody` are those who listen all the same.
  var json: JSON {
    [
      "selective": .integer(selective.coalesced), "filtered": .integer(filtered.coalesced),
      "whole": .integer(whole.coalesced), "everybody": .integer(everybody),
      "uncoalesced": [
        "selective": .integer(selective.uncoalesced), "filtered": .integer(filtered.uncoalesced),
        "whole": .integer(whole.uncoalesced),
      ], "views": views?.json ?? .null,
    ]
  }
}

extension IsolationReport.Views {
  fileprivate var json: JSON {
    [
      "evaluated": .integer(evaluations.count), "for_nothing": .integer(forNothing),
      "evaluations": .array(evaluations.prefix(IsolationReport.listedEvaluations).map(\.json)),
    ]
  }
}

extension Evaluation {
  fileprivate var json: JSON {
    [
      "view": .integer(view), "node": node.json, "element": .string(element), "type": .string(type),
      "reasons": .array(reasons.map { .string($0.description) }), "for_nothing": .bool(isForNothing),
    ]
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
