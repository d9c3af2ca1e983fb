internal import LiveViewMirror
internal import MicroHTTP

/// The routes of the nine steps: those of one update, and what one step gave.
struct StepRoutes {
  let views: LiveViews

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/log/{version}/steps", list)
    router.on(.get, "/views/{view}/log/{version}/steps/{step}", show)
  }

  private func list(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let record = try request.logEntry(of: view)
    return switch request.form(of: [.json, .text, .html]) {
    case .json: .json(try steps(of: record, in: view).json)
    case .text: .text(try steps(of: record, in: view).text)
    case .html: .inspector(of: view) { ($0.tab, $0.version) = (.steps, record.version) }
    }
  }

  private func show(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let record = try request.logEntry(of: view)
    let text = try request.parameter("step")
    let possible = UpdateStep.steps(isMount: record.version == 0)
    guard let number = Int(text), let step = UpdateStep(rawValue: number), possible.contains(step) else {
      let has = possible.map { "\($0.rawValue) (\($0.name))" }.joined(separator: ", ")
      throw HTTPError(.unknownStep, "Version \(record.version) has no step \"\(text)\"; it has \(has).")
    }
    // A browser is only sent to the tab, which computes the steps.
    let form = request.form(of: [.json, .text, .html])
    if form == .html { return .inspector(of: view) { ($0.tab, $0.version, $0.step) = (.steps, record.version, step) } }
    let steps = try steps(of: record, in: view)
    return form == .text ? .text(steps.text(of: step)) : .json(steps.json(of: step, in: view))
  }

  private func steps(of record: ChangeRecord, in view: ViewState) throws(HTTPError) -> UpdateSteps {
    if let steps = UpdateSteps(of: record.version, in: view) { return steps }
    throw HTTPError(.evictedVersion, "What version \(record.version) of view \"\(view.id)\" made is no longer kept.")
  }
}
