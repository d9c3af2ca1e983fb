internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

/// What the mirror derives from the log of a view: the changes between two versions, the steps of
/// an update, findings, waste, totals and insights; and the totals of a page load. ``Inspector``
/// adds these routes to its router.
struct AnalysisRoutes {
  let views: LiveViews

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/compare", compare)
    router.on(.get, "/views/{view}/diagnostics", listFindings)
    router.on(.get, "/help/diagnostics", explainFindings)
    router.on(.get, "/views/{view}/log/{version}/steps", listSteps)
    router.on(.get, "/views/{view}/log/{version}/steps/{step}", showStep)
    router.on(.get, "/views/{view}/waste", showWaste)
    router.on(.get, "/views/{view}/totals", showTotals)
    router.on(.get, "/views/{view}/insights", listInsights)
    router.on(.get, "/pages/{page}/totals", showPageTotals)
  }

  private func compare(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    guard let from = try request.number("from") else {
      throw HTTPError(.missingParameter, "from is missing: the version to compare with, a whole number ≥ 0.")
    }
    let to = try request.number("to") ?? view.version
    guard let comparison = view.comparison(from: from, to: to) else {
      let unknown = [from, to].first { !(view.firstVersion...view.version).contains($0) } ?? from
      throw HTTPError.unknownVersion(unknown, of: view)
    }
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(comparison.text)
    case .html: .inspector(of: view) { ($0.version, $0.show, $0.with) = (to, .compare, from) }
    case .json: .json(comparison.json)
    }
  }

  private func listFindings(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(view.findingsText)
    case .html: .inspector(of: view) { $0.tab = .diagnostics }
    case .json: .json(view.findingsJSON)
    }
  }

  private func explainFindings(_ request: HTTPRequest) throws -> HTTPResponse {
    switch request.form(of: [.html, .text]) {
    case .text: .text(DiagnosticCode.markdown)
    case .html, .json: .page(DiagnosticsHelpPage.html)
    }
  }

  private func listSteps(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let record = try request.logEntry(of: view)
    return switch request.form(of: [.json, .text, .html]) {
    case .json: .json(try steps(of: record, in: view).json)
    case .text: .text(try steps(of: record, in: view).text)
    case .html: .inspector(of: view) { ($0.tab, $0.version) = (.steps, record.version) }
    }
  }

  private func showStep(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let record = try request.logEntry(of: view)
    let text = try request.parameter("step")
    let possible = UpdateStep.steps(isMount: record.version == 0)
    guard let number = Int(text), let step = UpdateStep(rawValue: number), possible.contains(step) else {
      let has = possible.map { "\($0.rawValue) (\($0.name))" }.joined(separator: ", ")
      throw HTTPError(.unknownStep, "Version \(record.version) has no step \"\(text)\"; it has \(has).")
    }
    // A browser is redirected to the tab, which computes the steps, so they are not computed here.
    let form = request.form(of: [.json, .text, .html])
    if form == .html { return .inspector(of: view) { ($0.tab, $0.version, $0.step) = (.steps, record.version, step) } }
    let steps = try steps(of: record, in: view)
    return form == .text ? .text(steps.text(of: step)) : .json(steps.json(of: step, in: view))
  }

  private func steps(of record: ChangeRecord, in view: ViewState) throws(HTTPError) -> UpdateSteps {
    if let steps = UpdateSteps(of: record.version, in: view) { return steps }
    throw HTTPError(.evictedVersion, "What version \(record.version) of view \"\(view.id)\" made is no longer kept.")
  }

  private func showWaste(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let order: WasteReport.Order = try request.choice(of: "sort") ?? .wastedBytes
    let report = view.wasteReport(by: order)
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(report.text)
    case .html: .inspector(of: view) { $0.tab = .cost }
    case .json: .json(report.json)
    }
  }

  private func showTotals(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let (grouping, order) = (try request.grouping(), try request.order())
    let form = request.form(of: [.json, .text, .html])
    if form == .html { return .inspector(of: view) { ($0.tab, $0.by, $0.sort) = (.cost, grouping, order) } }
    let (from, to) = try request.versions(of: view)
    let totals = CostTotals(of: view, by: grouping, from: from, to: to, sortedBy: order)
    return form == .text ? .text(totals.text) : .json(totals.json(of: view))
  }

  private func showPageTotals(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.page()
    guard let page = views.page(id) else { throw HTTPError.unknownPage(id) }
    let (grouping, order) = (try request.grouping(), try request.order())
    let totals = CostTotals(ofPage: try states(of: page), by: grouping, sortedBy: order)
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(totals.text)
    case .html: .page(PageTotalsPage(page: page.page, totals: totals, order: order).html)
    case .json: .json(totals.json(ofPage: id))
    }
  }

  /// The views of a page load, without those that were removed or evicted since `page` was read.
  private func states(of page: LiveViews.PageLoadReport) throws(HTTPError) -> [ViewState] {
    var states: [ViewState] = []
    for report in page.views {
      do throws(HTTPError) { states.append(try views.state(of: views.mounted(report.id))) } catch {
        guard [.notFound, .gone].contains(error.status) else { throw error }
      }
    }
    return states
  }

  private func listInsights(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(view.insightsText)
    case .html: .inspector(of: view) { $0.tab = .cost }
    case .json: .json(view.insightsJSON)
    }
  }
}

extension HTTPRequest {
  /// `?by=event|source|list|slot`; without it, `event`.
  fileprivate func grouping() throws(HTTPError) -> CostTotals.Grouping {
    try choice(of: "by") ?? .event
  }

  /// `?sort=`; without it, by bytes.
  fileprivate func order() throws(HTTPError) -> CostTotals.Order {
    try choice(of: "sort") ?? .bytes
  }

  /// `?from=&to=`: the first and the last version of a range, each `nil` if it is absent.
  ///
  /// - Throws: if the log does not have one of the versions, or `from` is after `to`.
  fileprivate func versions(of view: ViewState) throws(HTTPError) -> (from: Int?, to: Int?) {
    let (from, to) = (try number("from"), try number("to"))
    for version in [from, to].compactMap(\.self) where !(view.firstVersion...view.version).contains(version) {
      throw .unknownVersion(version, of: view)
    }
    let (first, last) = (from ?? view.firstVersion, to ?? view.version)
    guard first <= last else { throw .invalid("from", mustBe: "a version ≤ \(last)", not: "\(first)") }
    return (from, to)
  }
}

extension VersionComparison {
  /// A change set with both versions, without the members that belong to one diff.
  fileprivate var json: [UInt8] {
    JSONWriter { json in
      json.version(to, of: view, epoch: epoch)
      json.member("from", from)
      json.member("to", to)
      json.member("at", at: at)
      json.member("nodes", nodes)
      changeSet.write(to: &json)
      json.array("notified", notified) { $0.value($1.number) }
    }.bytes
  }
}
