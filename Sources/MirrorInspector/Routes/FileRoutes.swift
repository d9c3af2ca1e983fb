internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport
internal import RenderedTree

/// Traffic as files: `POST /views` imports one, `GET /views/{view}/export` writes one.
/// ``Inspector`` adds these routes to its router.
struct FileRoutes {
  let views: LiveViews
  let bodies: ViewBodies

  func add(to router: inout Router) {
    router.on(.post, "/views", importFile)
    router.on(.get, "/views/{view}/export", export)
  }

  private func importFile(_ request: HTTPRequest) throws -> HTTPResponse {
    bodies.dropAll()
    let dialect = try request.dialect()
    let report: LiveViews.ImportReport
    do throws(UpdateError) { report = try views.importing(request.body, dialect: dialect) } catch {
      if error.kind == .notKept { throw error.asHTTP }
      var problem = error.problem
      problem.detail = "\(error.description). Nothing was imported."
      throw HTTPError(problem)
    }
    return .json(json(report).bytes, status: .created)
  }

  private func json(_ report: LiveViews.ImportReport) -> JSON {
    let rejected = report.frames.flatMap(\.rejected)
    return [
      "format": .string(report.format.rawValue),
      "views": .array(report.views.map(JSON.string)), "pages": .array(report.pages.map(JSON.string)),
      "frames": .integer(report.frames.reduce(0) { $0 + $1.frames }),
      "applied": .integer(report.frames.reduce(0) { $0 + $1.applied }),
      "skipped_messages": .integer(report.skipped),
      "incomplete_views": .array(report.incomplete.map(JSON.string)),
      "rejected_frames": .integer(report.frames.reduce(0) { $0 + $1.rejectedFrameCount }),
      "rejected": .array(rejected.prefix(LiveViews.FramesReport.listedRejections).map(\.json)),
    ]
  }

  private func export(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    if ViewExport.isIncomplete(view) {
      throw HTTPError(
        .evictedVersion,
        """
        View "\(view.id)" cannot be exported: its mount was evicted from the log, which begins with version \(view.firstVersion). \
        Raise --versions or --log-bytes, and load the page again.
        """)
    }
    let report = views.report(of: view.id)
    let page = report.life.page.flatMap { views.page($0)?.page }
    var response = HTTPResponse(
      contentType: "application/x-ndjson", bytes: ViewExport(view: view, report: report, page: page).bytes)
    response.headers["Content-Disposition"] = "attachment; filename=\"\(Self.fileName(of: view.id)).ndjson\""
    return response
  }

  /// Some systems do not allow colons in file names.
  private static func fileName(of view: String) -> String { view.replacing(":", with: "-") }
}
