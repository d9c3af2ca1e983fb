internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

/// `GET /views/{view}/compare`: the changes between two versions.
struct CompareRoutes {
  let views: LiveViews

  func add(to router: inout Router) { router.on(.get, "/views/{view}/compare", compare) }

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
}

extension VersionComparison {
  /// A change set with both versions, without the members that belong to one diff.
  fileprivate var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("view", view)
      json.member("epoch", epoch)
      json.member("version", to)
      json.member("from", from)
      json.member("to", to)
      json.member("at", at: at)
      json.member("nodes", nodes)
      changeSet.write(to: &json)
      json.array("notified", notified) { $0.value($1.number) }
    }
    return json.bytes
  }
}
