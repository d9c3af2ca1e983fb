internal import MirrorSupport

/// A part of ``ViewPage`` that the script replaces without the other parts, if its content has
/// changed.
///
/// The page contains each region in an element with the id of the region. A region of lines has one
/// element for each line, so that an update of a long list costs in proportion to the lines that
/// changed. The ids of regions and the keys of lines are ids of elements, so none may occur twice.
struct PageRegion {
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

  /// `{"id": "bar", "digest": "k3f9aQ", "html": "…"}`, or
  /// `{"id": "diffs", "lines": [["v2", "x0-Pb1", "<li …>"], …]}`.
  ///
  /// - Parameter known: the digests of the HTML that the page has already. That HTML is left out.
  func write(to json: inout JSONWriter, known: Set<Digest>) {
    json.object { json in
      json.member("id", id)
      switch content {
      case .whole(let html):
        let digest = Digest(html, in: id)
        json.member("digest", digest.text)
        if !known.contains(digest) { json.write("html") { $0.value(html: html) } }
      case .lines(let lines):
        json.array("lines", lines) { json, line in
          let digest = Digest(line.html, in: id)
          let (key, text) = ("\(line.key)" as HTML, "\(digest.text)" as HTML)
          json.array(known.contains(digest) ? [key, text] : [key, text, line.html]) { $0.value(html: $1) }
        }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(html: HTML) { html.bytes.withUnsafeBufferPointer { value(utf8: $0) } }
}

extension PageRegion {
  /// A digest of the HTML of a region or a line. Its six characters are 36 bits of the FNV-1a hash
  /// (Fowler, Noll and Vo). A page has at most 600 regions and lines, so the probability that a
  /// changed one has the digest of its former HTML is below 10⁻⁸. The next change of that region or
  /// line would correct the page.
  ///
  /// The same HTML has another digest in each region. Otherwise the digest of an empty region would
  /// also leave out the HTML of another region that becomes empty.
  struct Digest: Hashable {
    static let length = 6
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    let text: String

    init(_ html: HTML, in region: String) {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in region.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      for byte in html.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      text = String(
        decoding: (0..<Self.length).map { Self.alphabet[Int(hash >> (64 - 6 * ($0 + 1)) & 63)] }, as: UTF8.self)
    }

    private init(text: String) { self.text = text }

    /// The digests of a header: six characters each, without separators. A digest with characters
    /// outside of the alphabet matches no HTML.
    static func all(in header: String?) -> Set<Digest> {
      let bytes = Array((header ?? "").utf8)
      return Set(
        stride(from: 0, to: bytes.count - bytes.count % length, by: length).map {
          Digest(text: String(decoding: bytes[$0..<$0 + length], as: UTF8.self))
        })
    }
  }
}
