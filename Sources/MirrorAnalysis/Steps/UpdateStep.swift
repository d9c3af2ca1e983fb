package import LiveViewMirror

/// One of the nine steps of LiveView Native's update process. A mount has the first three, a diff
/// the other six. ``UpdateSteps`` has the result of each. The raw values are the numbers in
/// `/log/{version}/steps/{step}`.
package enum UpdateStep: Int, CaseIterable, Sendable {
  case renderedJSON = 1
  case parseHTML, document, event, renderedDiff, parseNewHTML, newDocument, mergeDocuments, changedNodeRefs

  /// A sender or receiver of a step.
  package enum Party: String, Sendable, CaseIterable {
    case liveView = "LiveView"
    /// The program that shows the page.
    case client
    /// The part of the client that holds the document.
    case core
  }

  package var name: String {
    switch self {
    case .renderedJSON: "Rendered JSON"
    case .parseHTML: "Parse HTML"
    case .document: "Document"
    case .event: "Event"
    case .renderedDiff: "Rendered Diff"
    case .parseNewHTML: "Parse New HTML"
    case .newDocument: "New Document"
    case .mergeDocuments: "Merge Documents"
    case .changedNodeRefs: "Changed NodeRefs"
    }
  }

  package var from: Party {
    switch self {
    case .renderedJSON, .renderedDiff: .liveView
    case .parseHTML, .event, .parseNewHTML, .mergeDocuments: .client
    case .document, .newDocument, .changedNodeRefs: .core
    }
  }

  package var to: Party {
    switch self {
    case .event: .liveView
    case .renderedJSON, .renderedDiff, .document, .newDocument, .changedNodeRefs: .client
    case .parseHTML, .parseNewHTML, .mergeDocuments: .core
    }
  }

  /// The steps of an update.
  package static func steps(isMount: Bool) -> [UpdateStep] { allCases.filter { ($0.rawValue <= 3) == isMount } }
}

extension ChangeRecord.Timings {
  /// The part of the time that belongs to a step, in microseconds. The parts of all steps of an
  /// update add up to its whole time.
  package func microseconds(of step: UpdateStep) -> Int {
    switch step {
    case .event: 0
    case .renderedJSON, .renderedDiff: decode + merge
    case .parseHTML, .parseNewHTML: render
    case .newDocument: parse
    case .mergeDocuments: morph + trace
    case .changedNodeRefs: publish + views
    case .document: parse + morph + trace + publish + views
    }
  }
}
