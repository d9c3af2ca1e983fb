internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

/// The routes of the log: a list of entries, and one entry with its diff. ``Inspector`` adds them
/// to its router.
struct LogRoutes {
  let views: LiveViews

  /// The default and the maximum number of entries in one response.
  static let usualLimit = 100
  static let largestLimit = 1_000

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/log", list)
    router.on(.get, "/views/{view}/log/{version}", show)
  }

  private func list(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let after = try request.position("after", in: view)
    let limit = try request.number("limit") ?? Self.usualLimit
    guard limit > 0 else {
      throw HTTPError.invalid("limit", mustBe: "a number of entries from 1 to \(Self.largestLimit)", not: "0")
    }
    let node = try request.queryItem("node").map { text throws(HTTPError) in try request.node(text, in: view.document) }
    let form = request.form(of: [.json, .text])
    // Once the last entry is published, no entry changes. So the first and the last position, the
    // time of the mount and `isComplete` determine the content of the log.
    let ends = [view.log.first, view.log.last(1).first?.cursor].map { $0?.description ?? "" }
    let state =
      ["log", view.id, "\(view.epoch)", "\(view.mountedAt)", form.rawValue, request.query ?? ""]
      + ends + ["\(view.log.isComplete)"]
    return try .validated(by: state.joined(separator: "\n"), for: request) {
      let slice = view.log.slice(
        after: after, limit: min(limit, Self.largestLimit), node: node, event: request.queryItem("event"))
      return try form == .text ? .text(slice.entries.map(\.text).joined()) : json(slice, of: view, for: request)
    }
  }

  private func json(_ slice: ChangeLog.Slice, of view: ViewState, for request: HTTPRequest) throws -> HTTPResponse {
    var entries: [JSON] = []
    for (index, item) in slice.entries.enumerated() {
      if index % 16 == 15, request.isAbandoned { throw HTTPError.abandoned }
      entries.append(.json(item.json.text))
    }
    return .json(
      JSON.object([
        ("entries", .array(entries)),
        ("next", JSON(slice.next.map { EventID.positionText($0, in: view.epoch) })),
        ("first", JSON(view.log.first.map { EventID.positionText($0, in: view.epoch) })),
      ]).bytes)
  }

  private func show(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let record = try request.logEntry(of: view)
    // The explanation is sent on demand only, because it takes several times the space of the
    // change set.
    let isExplained = try request.flag("explain")
    return .changeSet(
      record, withInput: true, explainedBy: isExplained ? DiffExplanation(record, in: view) : nil,
      headline: isExplained ? view.headline(of: record) : nil, for: request)
  }
}

extension HTTPRequest {
  /// The change set of the version in the path.
  func logEntry(of view: ViewState) throws(HTTPError) -> ChangeRecord {
    let text = try parameter("version")
    guard let version = Int(text), let record = view.log.record(of: version) else {
      throw LogRoutes.unknownEntry(text, of: view)
    }
    return record
  }
}

extension LogRoutes {
  /// The error of an entry that the log does not have: `410` if it was evicted, `404` if it never
  /// existed.
  fileprivate static func unknownEntry(_ text: String, of view: ViewState) -> HTTPError {
    if let version = Int(text), (0...view.version).contains(version) {
      return HTTPError(
        .evictedVersion,
        "The change set of version \(version) is no longer kept: the log of view \"\(view.id)\" begins with "
          + "\(view.log.first?.description ?? "the next one").")
    }
    return HTTPError(
      .unknownVersion,
      "The log of view \"\(view.id)\" has versions \(view.firstVersion) to \(view.version), and not \"\(text)\".")
  }
}

extension ChangeLog.Entry {
  fileprivate var text: String {
    switch outcome {
    case .applied(let record): record.text
    case .rejected(let rejection): rejection.text
    }
  }
}
