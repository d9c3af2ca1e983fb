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
    let steps = try request.steps(of: view)
    return switch request.form(of: [.json, .text, .html]) {
    case .json: .json(steps.json)
    case .text: .text(steps.text)
    case .html: .inspector(of: view) { ($0.tab, $0.version) = (.steps, steps.record.version) }
    }
  }

  private func show(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let steps = try request.steps(of: view)
    let text = try request.parameter("step")
    guard let number = UpdateStep(rawValue: Int(text) ?? 0), let step = steps[number] else {
      let has = steps.steps.map { "\($0.step.rawValue) (\($0.step.name))" }.joined(separator: ", ")
      throw HTTPError(.notFound, "Version \(steps.record.version) has no step \"\(text)\"; it has \(has).")
    }
    return switch request.form(of: [.json, .text, .html]) {
    case .json: .json(steps.json(of: step, in: view))
    case .text: .text(steps.text(of: number) ?? step.summary + "\n")
    case .html: .inspector(of: view) { ($0.tab, $0.version, $0.step) = (.steps, steps.record.version, number.rawValue) }
    }
  }
}

extension HTTPRequest {
  /// The steps of the version in the path.
  fileprivate func steps(of view: ViewState) throws(HTTPError) -> UpdateSteps {
    let record = try logEntry(of: view)
    guard let steps = UpdateSteps(of: record.version, in: view) else {
      throw HTTPError(.gone, "What version \(record.version) of view \"\(view.id)\" made is no longer kept.")
    }
    return steps
  }
}
