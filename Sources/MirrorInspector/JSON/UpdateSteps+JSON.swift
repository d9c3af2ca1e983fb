internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

extension UpdateSteps {
  /// The body of `GET /views/{view}/log/{version}/steps`.
  var json: [UInt8] {
    JSONWriter { json in
      writeUpdate(to: &json)
      json.objects("steps", steps) { write($1, to: &$0) }
    }.bytes
  }

  /// The body of `GET /views/{view}/log/{version}/steps/{step}`.
  ///
  /// - Parameter view: the view. For each notified node, the number of its present subscribers is
  ///   written.
  func json(of step: UpdateStep, in view: ViewState) -> [UInt8] {
    JSONWriter { json in
      writeUpdate(to: &json)
      guard let step = self[step] else { return }
      write(step, to: &json)
      json.object("artifact", step.hasResult ? step.step : nil) { writeArtefact(of: $1, in: view, to: &$0) }
    }.bytes
  }

  private func writeUpdate(to json: inout JSONWriter) {
    json.version(record.version, of: record.view, epoch: record.epoch)
    if case .scoped = record.path { json.member("path", word: "scoped") } else { json.member("path", word: "full") }
  }

  private func write(_ step: Step, to json: inout JSONWriter) {
    json.member("step", step.step.rawValue)
    json.member("name", step.step.name)
    json.member("from", step.step.from.rawValue)
    json.member("to", step.step.to.rawValue)
    json.member("microseconds", step.microseconds)
    json.member("input_bytes", step.inputBytes)
    json.member("output_bytes", step.outputBytes)
    json.member("summary", step.summary)
    json.objects("artifacts", step.hasResult ? [step.step] : []) { json, artefact in
      json.member("name", artefact.artefact)
      json.member("href", link(to: artefact).description)
    }
  }

  /// The address of a step.
  func link(to step: UpdateStep) -> Link {
    Link("views", record.view, "log", "\(record.version)", "steps", "\(step.rawValue)").with("epoch", record.epoch)
  }

  private func writeArtefact(of step: UpdateStep, in view: ViewState, to json: inout JSONWriter) {
    switch step {
    case .renderedJSON: json.member("rendered", json: record.input)
    case .renderedDiff: json.member("diff", json: record.input)
    case .event: record.cause.write(to: &json)
    case .parseHTML, .parseNewHTML: writeParts(to: &json) { json, part in json.member("markup", part.markup) }
    case .document, .newDocument:
      writeParts(to: &json) { json, part in
        json.objects("nodes", part.nodes) { json, node in
          json.member("parent", node.parent)
          node.content.writeMembers(to: &json)
        }
      }
    case .mergeDocuments:
      writeParts(to: &json) { json, part in
        json.objects("pairs", part.nodes) { json, node in
          json.member("node", node.node?.number)
          json.member("because", node.pairing.rawValue)
        }
      }
      json.array("removed", artefacts.removed) { json, node in json.value(node.number) }
    case .changedNodeRefs:
      record.changeSet.write(slots: record.slots, to: &json)
      let subscribers = view.observers.publishers.totals()
      json.objects("notified", record.notified) { json, node in
        json.member("node", node.number)
        json.member("tag", record.displayName(of: node)?.tag)
        json.member("subscribers", subscribers[node])
      }
    }
  }

  private func writeParts(
    to json: inout JSONWriter, _ write: (inout JSONWriter, UpdateArtefacts.Part) -> Void
  ) {
    json.objects("parts", artefacts.parts) { json, part in
      json.member("parent", part.parent?.number)
      write(&json, part)
    }
  }
}

extension UpdateStep {
  /// The name of the step's result, `name` in `artifacts`.
  var artefact: String {
    switch self {
    case .renderedJSON: "rendered"
    case .renderedDiff: "diff"
    case .event: "event"
    case .parseHTML, .parseNewHTML: "markup"
    case .document, .newDocument: "tree"
    case .mergeDocuments: "pairs"
    case .changedNodeRefs: "changes"
    }
  }
}
