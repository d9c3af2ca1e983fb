internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// `GET /views/{view}/export`: the inputs of a view's current epoch as NDJSON. An import makes the
/// same versions, nodes and causes from them.
///
///     {"liveview_mirror":{"export":1},"view":"lv:phx-F1~tab","topic":"lv:phx-F1","url":"http://…","page":{"id":"tab",…}}
///     {"view":"lv:phx-F1","at":1764000000000,"epoch":1,"over":"dead","dialect":"html","liveview_version":"1.1.33","rendered":{…}}
///     {"view":"lv:phx-F1","at":1764000000250,"cause":{"event":"inc","type":"click",…},"diff":{…}}
///     {"view":"lv:phx-F1","destroyed":[3]}
///
/// `POST /frames`, `POST /views`, `replay` and `import` accept these lines. Rejected inputs are not
/// exported, because they have no effect.
///
/// ``FileRoutes`` makes one only if the log still has the mount (``isIncomplete(_:)``).
struct ViewExport {
  let view: ViewState
  let report: LiveViews.ViewReport?
  let page: PageLoad?

  /// Whether the mount was evicted from the log, so that the view cannot be exported.
  static func isIncomplete(_ view: ViewState) -> Bool { view.firstVersion > 0 }

  /// - Complexity: O(*bytes of all inputs*).
  var bytes: [UInt8] {
    var lines = line { header(&$0) }
    for entry in view.log.entries {
      if let record = entry.record {
        lines += line { json in
          json.member("view", topic)
          json.member("at", Int(record.at))
          if record.version == 0 { mount(&json) }
          if record.cause != nil { record.cause.write(to: &json) }
          json.member(record.version == 0 ? "rendered" : "diff", json: Self.onOneLine(record.input))
        }
      }
      if entry.destroyed.isEmpty { continue }
      lines += line { json in
        json.member("view", topic)
        json.array("destroyed", entry.destroyed) { $0.value($1) }
      }
    }
    return lines
  }

  private var topic: String { LiveViews.topic(of: view.id, in: report?.life.page) }

  private func header(_ json: inout JSONWriter) {
    json.object("liveview_mirror") { $0.member("export", 1) }
    json.member("view", view.id)
    json.member("topic", topic)
    if let url = report?.life.url { json.member("url", url) }
    guard let page else { return }
    json.object("page") { json in
      json.member("id", page.id)
      if let url = page.url { json.member("url", url) }
      if let title = page.title { json.member("title", title) }
    }
  }

  private func mount(_ json: inout JSONWriter) {
    json.member("epoch", view.epoch)
    json.member("over", view.container.rawValue)
    if let before = view.markupBefore { json.member("before", before) }
    json.member("dialect", view.document.dialect.rawValue)
    if let server = view.versions.server { json.member("liveview_version", server) }
    if let client = view.versions.reported { json.member("client", client.rawValue) }
    if let container = report?.life.container {
      json.array("container", [0, 1]) { json, place in
        if place == 0 { return json.value(container.tag) }
        json.object { json in
          for attribute in container.attributes { json.member(named: attribute.name, attribute.value) }
        }
      }
    }
  }

  private func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(body)
    return json.bytes
  }

  /// An input is kept as it was received, perhaps on several lines. Each line end becomes as many
  /// spaces as it has bytes, so an import counts the same `bytes`.
  private static func onOneLine(_ json: String) -> String {
    guard json.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { return json }
    // Other line separators may be inside of strings, so only these two bytes are replaced.
    let spaced = json.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    return String(decoding: spaced, as: UTF8.self)
  }
}
