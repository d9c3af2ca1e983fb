internal import MirrorSupport

/// A part of a page that the script replaces by itself, if its content has changed.
///
/// The page contains each region in an element with the id of the region. A region of lines has one element for each line, so that
/// an update of a long list costs in proportion to the lines that changed.
struct Region {
  /// One element of a list; its `id` in the page is ``key``.
  struct Line {
    let key: String
    let html: HTML
  }

  private enum Content {
    case whole(HTML)
    case lines([Line])
  }

  let id: String
  private let content: Content

  init(_ id: String, _ html: HTML) {
    self.id = id
    content = .whole(html)
  }

  init(_ id: String, lines: [Line]) {
    self.id = id
    content = .lines(lines)
  }

  /// The content in the page.
  var html: HTML {
    switch content {
    case .whole(let html): html
    case .lines(let lines): "\(lines.map(\.html))"
    }
  }

  /// `{"id": "bar", "html": "…"}`, or `{"id": "diffs", "lines": [["v2", "<li …>"], …]}`.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      switch content {
      case .whole(let html): json.write("html") { $0.value(html: html) }
      case .lines(let lines):
        json.array("lines", lines) { json, line in
          json.array([HTML.text(line.key), line.html]) { $0.value(html: $1) }
        }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(html: HTML) { html.bytes.withUnsafeBufferPointer { value(utf8: $0) } }
}

extension HTML {
  fileprivate static func text(_ text: String) -> HTML { "\(text)" }
}
